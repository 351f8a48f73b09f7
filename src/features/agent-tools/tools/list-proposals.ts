import { z } from 'zod';

import {
  getProposal,
  listProposals as operation,
  Proposal,
  ProposalChange,
} from '../../proposals/proposals.contract.ts';
import { refuseBeside } from '../parts/argument-pairs.ts';
import { Cursor } from '../../../contract/common.ts';
import { fieldsOf } from '../results/result-schema.ts';
import { callOperation, pick } from '../call-operation.ts';
import { CURSOR_ARGUMENT, defineReadTool } from '../tool.ts';

const SUMMARY = [
  'id',
  'title',
  'status',
  'source',
  'change_count',
  'counts',
  'totals',
  'conflict_count',
  'proposed_at',
  'expires_at',
] as const;
const STATUSES = ['draft', 'proposed', 'applied', 'rejected', 'expired', 'all'] as const;

export const listProposals = defineReadTool({
  name: 'list_proposals',
  title: 'List proposals',
  description:
    'Proposed changes that wait for a person, newest first; status "all" adds the decided ones. With proposal_id: ' +
    'that proposal with a page of its changes and, in `decision_note`, what the person said. No tool approves or ' +
    'rejects proposals.',
  scope: 'read_only',
  input: {
    proposal_id: z.string().optional(),
    status: z.array(z.enum(STATUSES)).optional().meta({ description: 'Default proposed' }),
    limit: z.int().min(1).max(500).default(20),
    cursor: CURSOR_ARGUMENT.optional(),
  },
  output: {
    proposals: z.array(fieldsOf(Proposal, SUMMARY)).optional(),
    proposal: Proposal.optional(),
    changes: z.array(ProposalChange).optional(),
    next_cursor: Cursor,
    has_more: z.boolean(),
  },
  operations: ['listProposals', 'getProposal'],
  examples: [{ arguments: {}, says: 'What is waiting for a decision?' }],
  run: async (context, input) => {
    const { proposal_id: id, status, limit, cursor } = input;
    refuseBeside('proposal_id', input, ['status']);
    if (id === undefined) {
      const { proposals, next_cursor, has_more } = await callOperation(context, operation, {
        query: { status, limit, cursor },
      });
      return { proposals: proposals.map((one) => pick(one, SUMMARY)), next_cursor, has_more };
    }
    const {
      changes,
      next_cursor,
      has_more,
      limit: _asked,
      ...proposal
    } = await callOperation(context, getProposal, {
      params: { id },
      query: { limit, cursor },
    });
    return { proposal, changes, next_cursor, has_more };
  },
});

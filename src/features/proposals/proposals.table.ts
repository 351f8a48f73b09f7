import type { z } from 'zod';

import { formatCents } from '../../kernel/money.ts';
import type { Proposal, ProposalChange } from './proposals.contract.ts';
import { statusAt } from './proposal-state.ts';
import type { ChangeRow, ProposalRow } from './proposals.queries.ts';

export type ProposalRecord = z.output<typeof Proposal>;
export type ChangeRecord = z.output<typeof ProposalChange>;

/** A proposal as served, without its changes. */
export function toProposal(
  row: ProposalRow,
  now: string,
  { conflictCount, changeSetStatus }: { conflictCount: number; changeSetStatus: ProposalRecord['change_set_status'] },
): ProposalRecord {
  const calls = JSON.parse(row.calls) as ProposalRecord['calls'];
  return {
    id: row.id,
    short_id: row.short_id,
    status: statusAt(row, now),
    title: row.title,
    source: row.source as ProposalRecord['source'],
    workflow_id: row.workflow_id,
    run_id: row.run_id,
    proposed_by: actor(row.proposer_type, row.proposer_id, row.proposer_name),
    calls,
    call_count: calls.length,
    change_count: row.change_count,
    counts: JSON.parse(row.counts) as ProposalRecord['counts'],
    totals: JSON.parse(row.totals) as ProposalRecord['totals'],
    fingerprint: row.fingerprint,
    conflict_count: conflictCount,
    created_at: row.created_at,
    proposed_at: row.proposed_at,
    expires_at: row.expires_at,
    decided_at: row.decided_at,
    decided_by: row.decider_type === null ? null : actor(row.decider_type, row.decider_id, row.decider_name ?? ''),
    decision_note: row.decision_note,
    applied_count: row.applied_count,
    skipped_count: row.skipped_count,
    change_set_id: row.change_set_id,
    change_set_status: changeSetStatus,
  };
}

function actor(type: string, id: string | null, name: string): ProposalRecord['proposed_by'] {
  return { type: type as ProposalRecord['proposed_by']['type'], id, name };
}

/** A change as served; `conflict` is why it cannot be applied as things are now. */
export function toChange(row: ChangeRow, conflict: ChangeRecord['conflict']): ChangeRecord {
  const isTransaction = row.entity_type === 'transaction';
  return {
    sequence: row.sequence,
    call: row.call,
    entity_type: row.entity_type as ChangeRecord['entity_type'],
    entity_id: row.entity_id,
    entity_short_id: row.entity_short_id,
    operation: row.operation as ChangeRecord['operation'],
    label: row.label,
    before: fieldsOf(row.before),
    after: fieldsOf(row.after),
    transaction_id: row.transaction_id,
    amount: isTransaction && row.amount_cents !== null ? formatCents(row.amount_cents) : null,
    iso_currency_code: isTransaction ? row.iso_currency_code : null,
    date: isTransaction ? row.date : null,
    source: row.source as ChangeRecord['source'],
    rule_id: row.rule_id,
    conflict,
    outcome: row.outcome as ChangeRecord['outcome'],
  };
}

function fieldsOf(json: string | null): Record<string, unknown> | null {
  return json === null ? null : (JSON.parse(json) as Record<string, unknown>);
}

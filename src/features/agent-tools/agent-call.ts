import type { Insertable } from 'kysely';

import type { McpCallsTable } from '../../db/schema.ts';

/** What a call of a tool carries besides its input. Plain data, so that it can be sent to another thread. */
export interface AgentCall {
  /** Stored in the transaction of the write, so that no committed write lacks its record (contract 70.7). */
  record: CallRecord;
  /** Set in propose mode: the write is rehearsed, and what it would change goes into a proposal (60.6). */
  plan: PlanRequest | null;
  /** What the household's settings say about results (70.7). */
  results: { maxBytes: number; masksNumbers: boolean };
  /** The run of a workflow that calls. */
  run: CallingRun | null;
  /** Of work that goes on after the answer, once it is known: the record of the call may not be stored yet. */
  lateChangeSetId?: string;
}

/** A run of a workflow, as the process that works on it knows it. */
export interface CallingRun {
  id: string;
  workflowId: string;
  /** Nothing is written once another process has taken the run's lease. */
  fencingToken: string;
  /** Names of the tools that it is offered. */
  tools: readonly string[];
}

/** The record of a call before its outcome is known. */
export type CallRecord = Omit<
  Insertable<McpCallsTable>,
  'change_set_id' | 'proposal_id' | 'outcome' | 'error_code' | 'result_bytes' | 'duration_ms'
>;

export interface PlanRequest {
  /** The open proposal that the changes join; null for one of their own. */
  proposalId: string | null;
  tool: string;
  source: 'mcp' | 'workflow';
  /** The key or run that makes the call; only it may add to the proposal. */
  principalId: string;
  workflowId: string | null;
  runId: string | null;
}

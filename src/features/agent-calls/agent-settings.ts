import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantNow } from '../../kernel/clock.ts';
import { DAY_MS, instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { defineSettingGroup } from '../config/index.ts';
import type { Instance } from '../handler.ts';
import { deleteInParts } from '../old-rows.ts';
import { AgentSettings } from './agent-calls.contract.ts';
import { callsBefore } from './agent-calls.queries.ts';

export type AgentSettingValues = z.output<typeof AgentSettings>;

/** In a new household, agents may do whatever their keys allow (contract 70.7). */
export const agentSettings = defineSettingGroup<AgentSettingValues>('mcp', AgentSettings, {
  mode: 'read_write',
  disabled_tools: [],
  instructions: null,
  review_guide: null,
  report_guide: null,
  max_response_bytes: LIMITS.agentResponseBytes,
  mask_numbers: false,
  call_retention_days: 30,
});

/** The current agent settings. A change applies from an agent's next request. */
export async function readAgentSettings(tx: ReadTx): Promise<AgentSettingValues> {
  return agentSettings.read(tx);
}

/** Deletes calls of agents that are older than the household keeps them; 0 keeps all (contract 70.7). */
export async function deleteOldCalls({ database, clock }: Instance): Promise<void> {
  const { call_retention_days: days } = await database.read(readAgentSettings);
  if (days === 0) return;
  await deleteInParts(database, callsBefore(instantAfter(instantNow(clock), -days * DAY_MS)));
}

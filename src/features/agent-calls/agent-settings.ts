import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { defineSettingGroup } from '../config/index.ts';
import { AgentSettings } from './agent-calls.contract.ts';

export type AgentSettingValues = z.output<typeof AgentSettings>;

/** A new household lets agents do what their keys may do (contract 70.7). */
export const agentSettings = defineSettingGroup<AgentSettingValues>('mcp', AgentSettings, {
  mode: 'read_write',
  disabled_tools: [],
  instructions: null,
  review_guide: null,
  report_guide: null,
  max_response_bytes: 60_000,
  mask_numbers: false,
  call_retention_days: 30,
});

/** What holds for agents now; a change holds from their next request. */
export async function readAgentSettings(tx: ReadTx): Promise<AgentSettingValues> {
  return agentSettings.read(tx);
}

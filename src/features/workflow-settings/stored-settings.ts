import { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { MODEL_PROVIDERS } from '../../kernel/model-address.ts';
import { defineSettingGroup } from '../config/index.ts';
import { ModelNames, PriceOfModel } from './workflow-settings.contract.ts';

const Stored = z.object({
  enabled: z.boolean(),
  provider: z.enum(MODEL_PROVIDERS).nullable(),
  model: z.string().nullable(),
  models: ModelNames,
  context_tokens: z.int().nullable(),
  base_url: z.string().nullable(),
  max_concurrent: z.int(),
  global_max_budget_usd: z.number().nullable(),
  run_retention_days: z.int(),
  proposal_ttl_days: z.int(),
  prices: z.array(PriceOfModel),
});

/** What `/workflows/settings` keeps, apart from the key. */
export type StoredSettings = z.output<typeof Stored>;

export const storedSettings = defineSettingGroup<StoredSettings>('workflows', Stored, {
  enabled: true,
  provider: null,
  model: null,
  models: { fast: null, balanced: null, deep: null },
  context_tokens: null,
  base_url: null,
  max_concurrent: 3,
  global_max_budget_usd: null,
  run_retention_days: 30,
  proposal_ttl_days: 30,
  prices: [],
});

/** For how many days a proposal can be decided. */
export async function readProposalDays(tx: ReadTx): Promise<number> {
  return (await storedSettings.read(tx)).proposal_ttl_days;
}

import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import { withoutUndefined } from '../../kernel/json.ts';
import { NEVER_REACHED } from '../../kernel/model-address.ts';
import { isNeverReached } from '../../kernel/network.ts';
import { handleRead, handleWrite, type Instance } from '../handler.ts';
import { findModelKey, forgetModelKey, storeModelKey } from './model-key.ts';
import { SHIPPED_PRICES } from './model-prices.ts';
import { readModelSettings, settingsInForce, type ModelSettings } from './model-settings.ts';
import { storedSettings, type StoredSettings } from './stored-settings.ts';
import * as contract from './workflow-settings.contract.ts';

export const getWorkflowSettings = handleRead(contract.getWorkflowSettings, async ({ tx, instance }) =>
  show(tx, instance),
);

export const replaceWorkflowSettings = handleWrite(
  contract.replaceWorkflowSettings,
  'setting.update',
  async ({ tx, instance }, { body }) => changeSettings(tx, instance, body),
);

export const updateWorkflowSettings = handleWrite(
  contract.updateWorkflowSettings,
  'setting.update',
  async ({ tx, instance }, { body }) => changeSettings(tx, instance, body),
);

type Shown = z.output<typeof contract.WorkflowSettings>;

/** @throws SETTING_FROM_ENV if a variable sets one of the fields, as they would be after the change */
async function changeSettings(
  tx: WriteTx,
  instance: Instance,
  { api_key: key, ...patch }: z.output<typeof contract.WorkflowSettingsInput>,
): Promise<Shown> {
  if (typeof patch.base_url === 'string' && isNeverReached(new URL(patch.base_url).hostname)) {
    throw validationError('base_url', `base_url ${NEVER_REACHED}.`);
  }
  const before = await storedSettings.read(tx);
  const given = await findModelKey(tx, instance);
  const models = { ...before.models, ...withoutUndefined(patch.models ?? {}) };
  const merged: StoredSettings = { ...before, ...withoutUndefined(patch), models };
  const { settings } = settingsInForce(instance.config.models, merged, given);
  for (const field of settings.fromEnv) {
    if ((field === 'api_key' ? key : patch[field]) !== undefined) refuse(field);
  }
  await storedSettings.change(tx, merged);
  const isElsewhere = merged.provider !== before.provider || merged.base_url !== before.base_url;
  if (typeof key === 'string') {
    const isSame = given?.key === key && given.provider === settings.provider && given.baseUrl === settings.baseUrl;
    if (!isSame) await storeModelKey(tx, instance, { provider: settings.provider, baseUrl: settings.baseUrl, key });
  } else if (key === null || isElsewhere) await forgetModelKey(tx);
  tx.journal.summarise('Changed the settings of workflows');
  return show(tx, instance);
}

function refuse(field: string): never {
  throw new AppError(
    'SETTING_FROM_ENV',
    `An environment variable sets ${field}. Change or remove the variable and restart the server.`,
  );
}

async function show(tx: ReadTx, instance: Instance): Promise<Shown> {
  return toRecord(await readModelSettings(tx, instance), await storedSettings.read(tx));
}

function toRecord(settings: ModelSettings, stored: StoredSettings): Shown {
  return {
    ...stored,
    provider: settings.provider,
    model: settings.model,
    base_url: settings.baseUrl,
    api_key_set: settings.keySource !== null,
    api_key_hint: settings.keyHint,
    api_key_source: settings.keySource,
    from_env: [...settings.fromEnv],
    effective_prices: effectivePrices(settings),
  };
}

function effectivePrices({ prices }: ModelSettings): Shown['effective_prices'] {
  const own = new Set(prices.map(({ model }) => model));
  return [
    ...prices.map((row) => ({ ...row, source: 'settings' as const, as_of: null })),
    ...SHIPPED_PRICES.filter(({ model }) => !own.has(model)).map((row) => ({ ...row, source: 'shipped' as const })),
  ];
}

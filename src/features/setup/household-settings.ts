import type { WriteTx } from '../../journal/write.ts';
import { fieldFault } from '../../kernel/errors.ts';
import { changeConfig, getConfigKey, type ConfigName } from '../config/index.ts';

/** Canonical values of settings. */
export type Settings = readonly (readonly [key: ConfigName, value: string])[];

const FIELDS = {
  household_name: 'household.name',
  default_currency: 'default_currency',
  timezone: 'instance.timezone',
} as const satisfies Readonly<Record<string, ConfigName>>;

type Sent = { readonly [F in keyof typeof FIELDS]?: string | undefined };

/** What setup asks about the household; a field left out or empty keeps its default. @throws VALIDATION_ERROR */
export function readSettings(sent: Sent): Settings {
  return (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).flatMap((field) => {
    const text = sent[field]?.trim() ?? '';
    if (text === '') return [];
    const known = getConfigKey(FIELDS[field]);
    const value = known.read(text);
    if (value === undefined) throw fieldFault(field, `is not allowed. ${known.description}`);
    return [[FIELDS[field], value] as const];
  });
}

export async function storeSettings(tx: WriteTx, settings: Settings): Promise<void> {
  for (const [key, value] of settings) await changeConfig(tx, key, value);
}

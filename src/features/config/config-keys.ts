import { isTimeZone, machineTimeZone } from '../../kernel/dates.ts';

/** A setting (contract 20.13). There are no others. */
export interface ConfigKey {
  key: string;
  type: 'string';
  /** What it does, and the values it accepts. */
  description: string;
  /** The value if none is stored. */
  byDefault(): string | null;
  /** The canonical text of a value as sent; undefined if it is not allowed. */
  read(value: string): string | undefined;
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** All settings by name. A feature that needs a new one adds it here. */
export const CONFIG_KEYS: readonly ConfigKey[] = [
  {
    key: 'default_currency',
    type: 'string',
    description:
      'Currency of imported rows if the file, the account and the request state none: an ISO 4217 code, such as EUR. ' +
      'The first import with a single currency sets it. Changing it does not change existing rows.',
    byDefault: () => null,
    read: (value) => (CURRENCIES.has(value.trim().toUpperCase()) ? value.trim().toUpperCase() : undefined),
  },
  {
    key: 'instance.timezone',
    type: 'string',
    description: 'Time zone in which days begin and end: an IANA name, such as Europe/Berlin.',
    byDefault: machineTimeZone,
    read: (value) => (isTimeZone(value.trim()) ? value.trim() : undefined),
  },
];

export function findConfigKey(key: string): ConfigKey | undefined {
  return CONFIG_KEYS.find((one) => one.key === key);
}

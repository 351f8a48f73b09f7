import { isTimeZone, machineTimeZone } from '../../kernel/dates.ts';

/** A known key of the app config (20.13). Nothing else can be stored. */
export interface ConfigKey {
  key: string;
  type: 'string';
  /** One sentence with the range. */
  description: string;
  /** The value while nothing is stored. */
  byDefault(): string | null;
  /** The canonical text of a value as sent; undefined when it is out of range. */
  read(value: string): string | undefined;
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Every key, in the order of their names. A feature that brings a setting adds it here. */
export const CONFIG_KEYS: readonly ConfigKey[] = [
  {
    key: 'default_currency',
    type: 'string',
    description:
      'Currency for imported rows when the file, the account and the request name none: an ISO 4217 code, such as EUR. ' +
      'The first import that names a single currency sets it; changing it alters no rows.',
    byDefault: () => null,
    read: (value) => (CURRENCIES.has(value.trim().toUpperCase()) ? value.trim().toUpperCase() : undefined),
  },
  {
    key: 'instance.timezone',
    type: 'string',
    description: 'Time zone that says when a day begins and ends: an IANA name, such as Europe/Berlin.',
    byDefault: machineTimeZone,
    read: (value) => (isTimeZone(value.trim()) ? value.trim() : undefined),
  },
];

export function findConfigKey(key: string): ConfigKey | undefined {
  return CONFIG_KEYS.find((one) => one.key === key);
}

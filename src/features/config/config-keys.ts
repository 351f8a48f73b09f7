import type { Config } from '../../kernel/config.ts';
import { machineTimeZone, parseInstant, timeZoneNamed } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { readBaseUrl } from '../../kernel/network.ts';

/** A value as it is sent: text, or the JSON form of the setting's type. */
export type SentValue = string | number | readonly string[];

/** A setting (contract 20.13). */
export interface ConfigKey {
  key: ConfigName;
  type: 'string' | 'integer' | 'instant' | 'list';
  /** What it does, and the values it accepts. */
  description: string;
  /** The value if none is stored. */
  byDefault(): string | null;
  /** For the reference, if the default depends on the machine. */
  defaultInWords?: string;
  /** The canonical text of a value as sent; undefined if it is not allowed. */
  read(value: SentValue): string | undefined;
  /** The value that the environment sets, which beats a stored one. */
  fromEnvironment?(config: Config): string | null;
}

type Named = Pick<ConfigKey, 'key' | 'description'>;
type Read = (text: string) => string | undefined;

export type ConfigName =
  | 'consent_warning_days'
  | 'default_currency'
  | 'household.name'
  | 'instance.timezone'
  | 'link_redirect_origins'
  | 'plaid_country_codes'
  | 'plaid_language'
  | 'plaid_redirect_uri'
  | 'public_base_url'
  | 'setup.encryption_key_acknowledged_at'
  | 'sync_concurrency'
  | 'sync_interval_minutes'
  | 'sync_log_retention_days'
  | 'sync_timeout_seconds'
  | 'webhook_event_retention_days';

/** The officially assigned codes of ISO 3166-1 alpha-2. */
const COUNTRY_CODES: ReadonlySet<string> = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
  GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
  KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
  MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
  UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.split(/\s+/),
);
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** All settings, by name. A feature that needs a new one adds it here. There are no secrets among them. */
export const CONFIG_KEYS: readonly ConfigKey[] = [
  integer('consent_warning_days', 'Days before a bank consent ends that warnings begin', 1, 90, 14),
  string(
    {
      key: 'default_currency',
      description:
        'Currency of imported rows if the file, the account and the request state none: an ISO 4217 code, such as EUR. ' +
        'The first import with a single currency sets it. Changing it does not change existing rows.',
    },
    (text) => (CURRENCIES.has(text.toUpperCase()) ? text.toUpperCase() : undefined),
  ),
  string(
    { key: 'household.name', description: `Name of the household, 1 to ${LIMITS.nameChars} characters.` },
    (text) => (text !== '' && [...text].length <= LIMITS.nameChars ? text : undefined),
    () => 'Household',
  ),
  {
    ...string(
      {
        key: 'instance.timezone',
        description: 'Time zone in which days begin and end: an IANA name, such as Europe/Berlin.',
      },
      timeZoneNamed,
      machineTimeZone,
    ),
    defaultInWords: 'the server’s time zone',
  },
  list(
    {
      key: 'link_redirect_origins',
      description: 'Origins that a hosted link may return to: http or https addresses without a path. None by default.',
    },
    { read: readOrigin, min: 0, byDefault: '' },
  ),
  list(
    {
      key: 'plaid_country_codes',
      description: 'Countries whose banks Plaid offers: one or more two-letter ISO 3166-1 codes, such as US.',
    },
    {
      read: (text) => (COUNTRY_CODES.has(text.toUpperCase()) ? text.toUpperCase() : undefined),
      min: 1,
      byDefault: 'US',
    },
  ),
  string(
    {
      key: 'plaid_language',
      description: 'Language of Plaid’s pages: a two-letter code, such as en.',
    },
    readLanguage,
    () => 'en',
  ),
  string(
    {
      key: 'plaid_redirect_uri',
      description: `Address that Plaid returns to from a bank: https, at most ${LIMITS.urlChars} characters; none by default.`,
    },
    readHttpsUrl,
  ),
  {
    ...string(
      {
        key: 'public_base_url',
        description:
          'Address at which people reach the service: https://host, or http on a home network; ' +
          'without it, links use the address that the client used.',
      },
      (text) => {
        const read = readBaseUrl(text);
        return 'origin' in read ? read.origin : undefined;
      },
    ),
    fromEnvironment: ({ baseUrl }) => baseUrl,
  },
  {
    key: 'setup.encryption_key_acknowledged_at',
    type: 'instant',
    description: 'When an admin confirmed that they have a copy of the encryption key: an instant. None by default.',
    byDefault: () => null,
    read: (value) => (typeof value === 'string' ? parseInstant(value.trim()) : undefined),
  },
  integer('sync_concurrency', 'Syncs that run at once', 1, 32, 4),
  integer('sync_interval_minutes', 'Minutes between automatic syncs', 15, 10_080, 720),
  integer('sync_log_retention_days', 'Days for which sync logs are kept (0 keeps them forever)', 0, 3_650, 90),
  integer('sync_timeout_seconds', 'Seconds after which a sync is abandoned', 30, 3_600, 300),
  {
    ...integer('webhook_event_retention_days', '', 0, 365, 7),
    description: 'Days for which webhook events are kept, 2 to 365, or 0 to keep them forever.',
    read: (value) => {
      const days = readInteger(value, 0, 365);
      return days === '1' ? undefined : days;
    },
  },
];

export function findConfigKey(key: string): ConfigKey | undefined {
  return CONFIG_KEYS.find((one) => one.key === key);
}

function string(named: Named, read: Read, byDefault: () => string | null = () => null): ConfigKey {
  return {
    ...named,
    type: 'string',
    byDefault,
    read: (value) => (typeof value === 'string' ? read(value.trim()) : undefined),
  };
}

function integer(key: ConfigName, meaning: string, min: number, max: number, byDefault: number): ConfigKey {
  return {
    key,
    type: 'integer',
    description: `${meaning}, ${min} to ${max}.`,
    byDefault: () => String(byDefault),
    read: (value) => readInteger(value, min, max),
  };
}

function readInteger(value: SentValue, min: number, max: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? String(number) : undefined;
}

/** Text with commas, or an array; stored without repetitions. */
function list(named: Named, { read, min, byDefault }: { read: Read; min: number; byDefault: string }): ConfigKey {
  return {
    ...named,
    type: 'list',
    byDefault: () => byDefault,
    read(value) {
      if (typeof value === 'number') return undefined;
      const parts = (typeof value === 'string' ? value.split(',') : value).map((part) => part.trim());
      const items = parts.filter((part) => part !== '').map(read);
      if (items.length < min || items.includes(undefined)) return undefined;
      const text = [...new Set(items)].join(',');
      return text.length <= LIMITS.configValueChars ? text : undefined;
    },
  };
}

function readOrigin(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\\\s,]+\/?$/i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).origin;
}

function readLanguage(text: string): string | undefined {
  const code = text.toLowerCase();
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  return /^[a-z]{2}$/.test(code) && names.of(code) !== undefined ? code : undefined;
}

/** Kept as it was sent, because the provider compares it as text. */
function readHttpsUrl(text: string): string | undefined {
  if (text.length > LIMITS.urlChars || !/^https:\/\/[!-~]+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { username, password } = new URL(text);
  return username === '' && password === '' ? text : undefined;
}

import type { Migration } from '../migrate.ts';

const READINGS = ['date_format', 'decimal_separator', 'sign', 'fee_mode'] as const;
const KNOWN = `('given', 'proved', 'certain')`;

/**
 * Profiles that imports learned kept what was merely assumed or likely as if it were known. A reading stays where some
 * import into its account was told it, proved it, or could read its file in no other way; the rest is found or asked anew.
 */
function forgotten(
  part: (text: string, ...path: readonly string[]) => string,
  without: (key: string) => string,
): string[] {
  return [
    ...READINGS.map(
      (key) => `update import_profiles set settings = ${without(key)}
        where import_id is not null and ${part('settings', key)} is not null and not exists (
          select 1 from imports i join import_accounts a on a.import_id = i.id
          where i.header_signature = import_profiles.header_signature and a.account_id = import_profiles.account_id
            and ${part('i.detail', 'detection', key, 'confidence')} in ${KNOWN}
            and ${part('i.detail', 'detection', key, 'evidence')} not like '%content%'
            and ${part('i.detail', 'detection', key, 'value')} = ${part('import_profiles.settings', key)})`,
    ),
    `update import_profiles set settings = ${without('pending')}
      where import_id is not null and ${part('settings', 'pending')} = 'skip'`,
  ];
}

export const knownReadings: Migration = {
  version: 7,
  name: 'known readings',
  statements: [],
  sqlite: forgotten(
    (text, ...path) => `json_extract(${text}, '$.${path.join('.')}')`,
    (key) => `json_remove(settings, '$.${key}')`,
  ),
  postgres: forgotten(
    (text, ...path) => `jsonb_extract_path_text(${text}::jsonb, ${path.map((key) => `'${key}'`).join(', ')})`,
    (key) => `(settings::jsonb - '${key}')::text`,
  ),
};

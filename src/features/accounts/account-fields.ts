import { unknownFieldName } from '../../kernel/errors.ts';
import { Account } from './accounts.contract.ts';
import type { AccountRecord } from './accounts.table.ts';

export type AccountField = keyof AccountRecord;

const MINIMAL: readonly AccountField[] = ['name', 'display_name', 'type', 'balance_current', 'iso_currency_code'];
/** Names for sets of fields (contract 10.2.2). */
const ALIASES: ReadonlyMap<string, readonly AccountField[]> = new Map([
  ['minimal', MINIMAL],
  [
    'core',
    [
      ...MINIMAL,
      'subtype',
      'mask',
      'institution_name',
      'user_id',
      'owner_user_id',
      'is_excluded',
      'connection_status',
      'provider',
    ],
  ],
  ['timestamps', ['created_at', 'updated_at', 'balance_updated_at']],
]);
const FIELDS: ReadonlySet<string> = new Set(Account.keyof().options);

/**
 * The fields that `fields=` names; undefined, for all of them, without it.
 * @throws INVALID_PARAMETER
 */
export function parseFields(names: readonly string[] | undefined): ReadonlySet<AccountField> | undefined {
  if (names === undefined) return undefined;
  const wanted = new Set<AccountField>(['id', 'short_id']);
  for (const name of names) {
    const fields = ALIASES.get(name) ?? (FIELDS.has(name) ? [name as AccountField] : undefined);
    if (!fields) throw unknownFieldName(name, [...ALIASES.keys(), ...FIELDS]);
    for (const field of fields) wanted.add(field);
  }
  return wanted;
}

/** These fields of a record, in the record's order; all of it without a choice. */
export function pickFields(
  record: AccountRecord,
  fields: ReadonlySet<AccountField> | undefined,
): Pick<AccountRecord, 'id' | 'short_id'> & Partial<AccountRecord> {
  if (!fields) return record;
  const picked = Object.entries(record).filter(([name]) => fields.has(name as AccountField));
  return Object.fromEntries(picked) as typeof record;
}

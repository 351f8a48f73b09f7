import { validationError } from '../../kernel/errors.ts';
import type { ColumnChoice, MappingSource, ReadOptions } from './analysis.ts';
import { AMOUNT_GROUP, findColumn, mayHold, mayShare, resolveColumns, SEVERAL } from './column-choice.ts';
import type { ColumnClaims } from './column-claims.ts';
import type { ProfileMatch } from './profile-match.ts';
import { FIELDS } from './synonyms.ts';
import type { Field } from './synonyms.ts';

type Choices = Readonly<Record<string, ColumnChoice | undefined>>;

/** Claims what the caller names; any field of the amount group that is named settles the whole group. */
export function claimByCaller(claims: ColumnClaims, options: ReadOptions): void {
  const users = new Map<number, Field[]>();
  for (const [key, choice] of Object.entries(options.column_mapping ?? {})) {
    const field = FIELDS.find((known) => known === key);
    if (!field)
      throw validationError(`column_mapping.${key}`, `There is no such field. Use one of: ${FIELDS.join(', ')}.`);
    claims.close(field);
    if (AMOUNT_GROUP.includes(field) && choice !== null) claims.close(...AMOUNT_GROUP);
    if (choice === null) continue;
    const columns = resolveColumns(field, choice, claims.table);
    for (const column of columns) users.set(column, [...(users.get(column) ?? []), field]);
    claims.claim(field, columns, 'given', 'given');
  }
  for (const [column, fields] of users) {
    if (fields.length > 1 && !mayShare(fields)) {
      throw validationError(`column_mapping.${fields[1]}`, `Column ${column} cannot be both ${fields.join(' and ')}.`);
    }
  }
}

/** Claims what the profile names. Returns the fields whose columns it names but the file lacks. */
export function claimByProfile(claims: ColumnClaims, match: ProfileMatch): string[] {
  const own: Choices = match.stored?.settings.column_mapping ?? {};
  const choices: Choices = { ...match.builtIn?.columns, ...own };
  const missing: string[] = [];
  const isAmountGiven = AMOUNT_GROUP.some((field) => claims.mapping.has(field));
  for (const field of FIELDS) {
    const choice = choices[field];
    if (choice === undefined || claims.isClosed(field) || (isAmountGiven && AMOUNT_GROUP.includes(field))) continue;
    if (choice === null) {
      claims.close(field);
      continue;
    }
    const isOwn = field in own;
    const usable = usableColumns(claims, field, choice, isOwn || field === 'balance');
    if (usable.length === 0) {
      if (isOwn) missing.push(field);
      continue;
    }
    claims.close(field);
    const source: MappingSource = isOwn ? 'stored_profile' : 'built_in_profile';
    claims.claim(field, SEVERAL.has(field) ? usable : usable.slice(0, 1), 'profile', source);
  }
  closeSettled(claims, match);
  return missing;
}

/** Columns of the profile that the file has and the caller leaves free; `isChecked` ones must hold what they should. */
function usableColumns(
  claims: ColumnClaims,
  field: Field,
  choice: Exclude<ColumnChoice, null>,
  isChecked: boolean,
): number[] {
  return [choice]
    .flat()
    .map((one) => findColumn(one, claims.table))
    .filter((index) => index !== undefined)
    .filter((index) => !isClaimedByCaller(claims, index) && (!isChecked || mayHold(field, claims.columns[index])));
}

function isClaimedByCaller({ mapping }: ColumnClaims, index: number): boolean {
  for (const { columns, source } of mapping.values()) if (source === 'given' && columns.includes(index)) return true;
  return false;
}

/** What a profile settles by not naming it. */
function closeSettled(claims: ColumnClaims, { builtIn }: ProfileMatch): void {
  if (AMOUNT_GROUP.some((field) => claims.mapping.has(field))) claims.close(...AMOUNT_GROUP);
  if (!builtIn) return;
  if (builtIn.strength === 'strong') claims.close('bank_id');
  if (claims.mapping.has('date')) claims.close('authorized_date');
}

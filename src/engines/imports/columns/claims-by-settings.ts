import { validationError } from '../../../kernel/errors.ts';
import type { ColumnChoice, MappingSource, ReadOptions } from '../analysis.ts';
import { AMOUNT_GROUP, findColumn, mayHold, mayShare, resolveColumns, SEVERAL, unknownField } from './column-choice.ts';
import type { ColumnClaims } from './column-claims.ts';
import type { ProfileMatch } from '../profiles/profile-match.ts';
import { FIELDS } from '../lexicon/synonyms.ts';
import type { Field } from '../lexicon/synonyms.ts';

type Choices = Readonly<Record<string, ColumnChoice | undefined>>;

/** Claims the columns that the request names. Naming one field of the amount group closes the whole group. */
export function claimByCaller(claims: ColumnClaims, options: ReadOptions): void {
  const fieldsByColumn = new Map<number, Field[]>();
  for (const [key, choice] of Object.entries(options.column_mapping ?? {})) {
    const field = FIELDS.find((known) => known === key);
    if (!field) throw unknownField('column_mapping', key);
    claims.close(field);
    if (AMOUNT_GROUP.includes(field) && choice !== null) claims.close(...AMOUNT_GROUP);
    if (choice === null) continue;
    const columns = resolveColumns(field, choice, claims.table);
    for (const column of columns) fieldsByColumn.set(column, [...(fieldsByColumn.get(column) ?? []), field]);
    claims.claim(field, columns, 'given', 'given');
  }
  for (const [column, fields] of fieldsByColumn) {
    if (fields.length > 1 && !mayShare(fields)) {
      throw validationError(
        `column_mapping.${fields[1]}`,
        `Column "${claims.table.headers[column] ?? column}" cannot be both ${fields.join(' and ')}.`,
      );
    }
  }
}

/** Claims the columns that the profile names. Returns the fields for which the file has no such column. */
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

/** Indexes of the columns that the file has and the request has not claimed; `mustFit` also checks their content. */
function usableColumns(
  claims: ColumnClaims,
  field: Field,
  choice: Exclude<ColumnChoice, null>,
  mustFit: boolean,
): number[] {
  return [choice]
    .flat()
    .map((one) => findColumn(one, claims.table))
    .filter((index) => index !== undefined)
    .filter((index) => !isClaimedByCaller(claims, index) && (!mustFit || mayHold(field, claims.columns[index])));
}

function isClaimedByCaller({ mapping }: ColumnClaims, index: number): boolean {
  for (const { columns, source } of mapping.values()) if (source === 'given' && columns.includes(index)) return true;
  return false;
}

/** Closes the fields that a profile settles by not naming a column for them. */
function closeSettled(claims: ColumnClaims, { builtIn }: ProfileMatch): void {
  if (AMOUNT_GROUP.some((field) => claims.mapping.has(field))) claims.close(...AMOUNT_GROUP);
  if (!builtIn) return;
  if (builtIn.strength === 'strong') claims.close('bank_id');
  if (claims.mapping.has('date')) claims.close('authorized_date');
}

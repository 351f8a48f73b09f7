import { AppError } from '../../../kernel/errors.ts';
import { isEqualJson } from '../../../kernel/json.ts';
import type { WriteContext } from '../../handler.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Named extends Fields {
  short_id: string;
}

/**
 * Lets a tool that was given a name use the record that has it. What else was said must be what the record has already;
 * a record is changed only by its id (contract 70.4).
 * @param change makes the change that was asked for; it is rolled back
 * @throws CONFLICT naming the record and what differs
 */
export async function reuseNamed<T extends Named>(
  { tx }: WriteContext,
  kind: 'category' | 'series' | 'counterparty',
  stored: T,
  fields: Fields,
  change: (fields: Fields) => Promise<object>,
): Promise<void> {
  const given = Object.keys(fields).filter((field) => fields[field] !== undefined);
  if (given.length === 0) return;
  const after = (await tx.rehearse(() => change(fields))) as Fields;
  const before: Fields = stored;
  const other = given.filter((field) => !isEqualJson(after[field], before[field]));
  if (other.length === 0) return;
  const named = other.map((field) => (field === 'name' ? 'new_name' : field));
  const what = named.join(', ').replace(/, (?=[^,]*$)/, ' and ');
  throw new AppError(
    'CONFLICT',
    `The ${kind} ${stored.short_id} already has this name, but not this ${what}. Nothing was changed. Leave out what ` +
      `differs to use it as it is, or send ${kind}_id ${stored.short_id} to change it.`,
    { details: named.map((path) => ({ path, message: 'differs from what is stored' })) },
  );
}

import { amountOf, centsOf } from '../../lib/amounts.ts';
import type { EntityType } from '../../../src/contract/entity-types.ts';

/** What a plan and the journal both say of a change. */
export interface Change {
  sequence: number;
  entity_type: EntityType;
  operation: 'create' | 'update' | 'delete';
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
  amount: string | null;
  iso_currency_code: string | null;
}

/** One thing that happens to a record: a field, or the record itself if it is made or deleted. */
export interface Step {
  kind: 'field' | 'create' | 'delete';
  /** As the journal names it: `category_id`, `tag:holiday`, `metadata.invoice`; empty for the record itself. */
  field: string;
  before: unknown;
  after: unknown;
}

/** Changes of one kind to records of one type: "category A → B". */
export interface ChangeGroup<C extends Change = Change> {
  key: string;
  entityType: EntityType;
  steps: readonly Step[];
  changes: readonly C[];
  totals: readonly { iso_currency_code: string | null; total_amount: string }[];
}

/** Fields that only say who wrote the others, or when. */
const SILENT: ReadonlySet<string> = new Set(['category_source', 'updated_at', 'created_at']);

export function stepsOf({ operation, before, after }: Pick<Change, 'operation' | 'before' | 'after'>): Step[] {
  if (operation !== 'update') return [{ kind: operation, field: '', before: null, after: null }];
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const steps = fields
    .filter((field) => !SILENT.has(field))
    .map((field) => ({
      kind: 'field' as const,
      field,
      before: before?.[field] ?? null,
      after: after?.[field] ?? null,
    }));
  return steps.sort((a, b) => (a.field < b.field ? -1 : 1));
}

/** The largest groups first; the order of changes within one stays. */
export function groupChanges<C extends Change>(changes: readonly C[]): ChangeGroup<C>[] {
  const groups = new Map<string, { steps: readonly Step[]; changes: C[] }>();
  for (const change of changes) {
    const steps = stepsOf(change);
    // Records that are not transactions each have their own values, so they are told apart by their fields alone.
    const isAlike = change.entity_type === 'transaction';
    const what = steps.map(({ kind, field, before, after }) => [kind, field, ...(isAlike ? [before, after] : [])]);
    const key = JSON.stringify([change.entity_type, what]);
    const group = groups.get(key);
    if (group) group.changes.push(change);
    else groups.set(key, { steps, changes: [change] });
  }
  return [...groups]
    .map(([key, { steps, changes: inside }]) => ({
      key,
      entityType: (inside[0] as C).entity_type,
      steps,
      changes: inside,
      totals: totalsOf(inside),
    }))
    .sort((a, b) => b.changes.length - a.changes.length);
}

/** Sums per currency, of whole hundredths. */
function totalsOf(changes: readonly Change[]): ChangeGroup['totals'] {
  const cents = new Map<string | null, bigint>();
  for (const { amount, iso_currency_code: currency } of changes) {
    if (amount !== null) cents.set(currency, (cents.get(currency) ?? 0n) + centsOf(amount));
  }
  return [...cents].map(([currency, sum]) => ({ iso_currency_code: currency, total_amount: amountOf(sum) }));
}

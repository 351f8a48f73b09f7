import type { z } from 'zod';

import type { CounterpartiesTable } from '../../db/schema.ts';
import { textIds } from '../../db/texts.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { derived, IDS, isReferred, recorded, reference, STAMPS } from '../../journal/columns.ts';
import { defineEntity, type Fields } from '../../journal/entity.ts';
import type { Obstacle } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { countReferring } from '../facets/index.ts';
import { countRulesNaming } from '../rules/index.ts';
import type { Counterparty } from './counterparties.contract.ts';
import { findByFoldedName, selectMergedInto } from './counterparties.queries.ts';

const REFERRING = [
  ['transactions', 'counterparty_id'],
  ['counterparties', 'canonical_counterparty_id'],
] as const;

export const counterparties = defineEntity('counterparties', {
  type: 'counterparty',
  columns: {
    ...IDS,
    name: recorded,
    name_folded: derived,
    name_text_id: derived,
    website_url: recorded,
    logo_url: recorded,
    category_id: reference('categories'),
    mcc: recorded,
    canonical_counterparty_id: reference('counterparties'),
    ...STAMPS,
  },
  derive: deriveFromName,
  undo: {
    unique: [{ field: 'name', column: 'name_folded', from: (name) => fold(name as string) }],
    async isUsed(tx, id) {
      const { transactions, rules, merged } = await countUses(tx, id);
      return transactions + rules + merged > 0;
    },
    isUsedBesides: async (tx, id, others) =>
      (await isReferred(tx, id, REFERRING, others)) || (await countRulesNaming(tx, id, others)) > 0,
    findObstacle: findChainObstacle,
  },
});

/** Search finds a counterparty through `name_text_id`. A row whose name stays keeps what is derived from it. */
async function deriveFromName(
  row: CounterpartiesTable,
  tx: BareWriteTx,
): Promise<Pick<CounterpartiesTable, 'name_folded' | 'name_text_id'>> {
  const folded = fold(row.name);
  if (row.name_folded === folded) return { name_folded: folded, name_text_id: row.name_text_id };
  return { name_folded: folded, name_text_id: (await textIds(tx, [folded])).get(folded) as number };
}

/** A merge has one step: what is merged must have nothing merged into it, and its target must not be merged itself. */
async function findChainObstacle(
  tx: ReadTx,
  id: string,
  { canonical_counterparty_id: targetId }: Fields,
): Promise<Obstacle | null> {
  if (typeof targetId !== 'string') return null;
  const fields = ['canonical_counterparty_id'];
  const target = await counterparties.find(tx, targetId);
  if (target && target.canonical_counterparty_id !== null) {
    const message = 'The counterparty that it was merged into has since been merged into another one.';
    return { reason: 'reference_missing', fields, message };
  }
  if ((await selectMergedInto(tx, id)).length === 0) return null;
  return { reason: 'in_use', fields, message: 'Other counterparties have since been merged into it.' };
}

/** What refers to a counterparty: transactions (counting deleted ones), rules, and counterparties merged into it. */
export async function countUses(
  tx: ReadTx,
  id: string,
): Promise<{ transactions: number; rules: number; merged: number }> {
  return {
    transactions: await countReferring(tx, 'counterparty_id', id),
    rules: await countRulesNaming(tx, id),
    merged: (await selectMergedInto(tx, id)).length,
  };
}

/** The record in lists. */
export function toCounterparty(row: CounterpartiesTable): z.output<typeof Counterparty> {
  const { name_folded: _folded, name_text_id: _textId, ...fields } = row;
  return { ...fields, is_merged: row.canonical_counterparty_id !== null };
}

/** @throws NOT_FOUND */
export async function getCounterpartyRow(tx: ReadTx, anyId: string): Promise<CounterpartiesTable> {
  const row = await counterparties.find(tx, anyId);
  if (!row) throw notFound('counterparty');
  return row;
}

/** Its name is already trimmed. */
type NewCounterparty = Pick<CounterpartiesTable, 'name'> &
  Partial<Pick<CounterpartiesTable, 'website_url' | 'logo_url' | 'category_id' | 'mcc'>>;

/** Creates a counterparty. @throws CONFLICT if another one has the name */
export async function makeCounterparty(tx: WriteTx, wanted: NewCounterparty): Promise<CounterpartiesTable> {
  await refuseTakenName(tx, wanted.name);
  return counterparties.create(tx, wanted);
}

/** @throws CONFLICT if a counterparty other than `ownId` has the name. Case and accents do not matter. */
export async function refuseTakenName(tx: ReadTx, name: string, ownId?: string): Promise<void> {
  const other = await findByFoldedName(tx, fold(name));
  if (!other || other.id === ownId) return;
  const targetId = other.canonical_counterparty_id;
  const target = targetId === null ? undefined : await counterparties.find(tx, targetId);
  throw new AppError(
    'CONFLICT',
    target
      ? `A counterparty with this name was merged into ${target.short_id}. Use that one, or choose another name.`
      : `The counterparty ${other.short_id} already has this name. Use it, or choose another name.`,
  );
}

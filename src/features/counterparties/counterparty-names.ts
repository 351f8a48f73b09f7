import { textIds } from '../../db/texts.ts';
import type { CounterpartiesTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { AppError } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { findByFoldedName, findCounterparty } from './counterparties.queries.ts';

/** By name, which is unique by its folded form; one that was merged stands for its target. */
export async function findCounterpartyByName(tx: ReadTx, name: string): Promise<CounterpartiesTable | undefined> {
  const named = await findByFoldedName(tx, fold(name));
  return named && canonical(tx, named);
}

/** @throws CONFLICT when a counterparty other than this one has the name, naming the one to use instead */
export async function refuseTakenName(tx: ReadTx, name: string, ownId?: string): Promise<void> {
  const other = await findByFoldedName(tx, fold(name));
  if (!other || other.id === ownId) return;
  const { short_id: shortId } = await canonical(tx, other);
  const whose = other.short_id === shortId ? 'has this name already' : 'stands for one of this name';
  throw new AppError('CONFLICT', `The counterparty ${shortId} ${whose}. Use it, or choose another name.`);
}

/** The name and what is derived from it, so that search finds it. */
export async function nameColumns(
  tx: BareWriteTx,
  name: string,
): Promise<Pick<CounterpartiesTable, 'name' | 'name_folded' | 'name_text_id'>> {
  const folded = fold(name);
  return { name, name_folded: folded, name_text_id: (await textIds(tx, [folded])).get(folded) as number };
}

async function canonical(tx: ReadTx, row: CounterpartiesTable): Promise<CounterpartiesTable> {
  if (row.canonical_counterparty_id === null) return row;
  return (await findCounterparty(tx, row.canonical_counterparty_id)) ?? row;
}

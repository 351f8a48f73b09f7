import type { CounterpartiesTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, validationError, unknownId } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { findCategory } from '../categories/index.ts';
import { linkTransactions, unlinkTransaction } from '../facets/index.ts';
import { handleRead, handleWrite } from '../handler.ts';
import * as contract from './counterparties.contract.ts';
import {
  counterparties,
  countUses,
  getCounterpartyRow,
  makeCounterparty,
  refuseTakenName,
  toCounterparty,
} from './counterparties.entity.ts';
import { selectCounterparties } from './counterparties.queries.ts';
import { counterpartyDetail, counterpartyDetails } from './counterparty-detail.ts';

export const listCounterparties = handleRead(contract.listCounterparties, async ({ tx }, { query }) => {
  const part = fold(query.search ?? '');
  const rows = await selectCounterparties(tx, { withMerged: query.include_merged });
  const found = rows.filter((row) => row.name_folded.includes(part));
  return { counterparties: query.detail ? await counterpartyDetails(tx, found) : found.map(toCounterparty) };
});

export const getCounterparty = handleRead(contract.getCounterparty, async ({ tx }, { params }) =>
  counterpartyDetail(tx, await getCounterpartyRow(tx, params.id)),
);

export const createCounterparty = handleWrite(
  contract.createCounterparty,
  'counterparty.create',
  async ({ tx, principal }, { body }) => {
    const { transaction_ids: transactionIds, ...fields } = body;
    const categoryId = await resolveCategory(tx, body.category_id, null);
    const row = await makeCounterparty(tx, { ...fields, category_id: categoryId ?? null });
    tx.journal.summarise(`Created the counterparty ${row.name}`);
    if (!transactionIds) return counterpartyDetail(tx, row);
    const linkResult = await linkTransactions({ tx, principal }, bindingOf(row), transactionIds);
    return { ...(await counterpartyDetail(tx, row)), link_result: linkResult };
  },
);

export const updateCounterparty = handleWrite(
  contract.updateCounterparty,
  'counterparty.update',
  async ({ tx }, { params, body }) => {
    const row = await getCounterpartyRow(tx, params.id);
    const wanted = { ...body, category_id: await resolveCategory(tx, body.category_id, row.category_id) };
    if (wanted.name !== undefined) await refuseTakenName(tx, wanted.name, row.id);
    const changed = await counterparties.change(tx, row, wanted);
    tx.journal.summarise(`Changed the counterparty ${changed.name}`);
    return counterpartyDetail(tx, changed);
  },
);

export const deleteCounterparty = handleWrite(
  contract.deleteCounterparty,
  'counterparty.delete',
  async ({ tx }, { params }) => {
    const row = await getCounterpartyRow(tx, params.id);
    await refuseInUse(tx, row.id);
    await counterparties.remove(tx, row);
    tx.journal.summarise(`Deleted the counterparty ${row.name}`);
    return null;
  },
);

export const linkCounterpartyTransactions = handleWrite(
  contract.linkCounterpartyTransactions,
  'counterparty.link',
  async ({ tx, principal }, { params, body }) => {
    const row = await getCounterpartyRow(tx, params.id);
    await refuseMerged(tx, row);
    const link = async () => {
      const linkResult = await linkTransactions({ tx, principal }, bindingOf(row), body.transaction_ids);
      const { linked } = linkResult;
      tx.journal.summarise(`Linked ${linked === 1 ? '1 transaction' : `${linked} transactions`} to ${row.name}`);
      return { ...(await counterpartyDetail(tx, row)), link_result: linkResult };
    };
    return body.dry_run ? tx.rehearse(link) : link();
  },
);

export const unlinkCounterpartyTransaction = handleWrite(
  contract.unlinkCounterpartyTransaction,
  'counterparty.unlink',
  async ({ tx, principal }, { params }) => {
    const row = await getCounterpartyRow(tx, params.id);
    await unlinkTransaction({ tx, principal }, bindingOf(row), params.txid);
    tx.journal.summarise(`Unlinked a transaction from ${row.name}`);
    return counterpartyDetail(tx, row);
  },
);

function bindingOf({ id }: CounterpartiesTable): { binding: 'counterparty'; id: string } {
  return { binding: 'counterparty', id };
}

/**
 * UUID of the category that describes a counterparty. undefined means unchanged; null and "" mean none. An archived
 * category is accepted only if it is the current one.
 * @throws INVALID_PARAMETER for an unknown category, VALIDATION_ERROR for an archived one
 */
async function resolveCategory(
  tx: ReadTx,
  anyName: string | null | undefined,
  current: string | null,
): Promise<string | null | undefined> {
  if (anyName === undefined) return undefined;
  const wanted = anyName?.trim() ?? '';
  if (wanted === '') return null;
  const category = await findCategory(tx, wanted);
  if (!category) throw unknownId('category_id', 'category', wanted);
  if (category.is_archived === 1 && category.id !== current) {
    throw validationError('category_id', 'category_id: this category is archived. Choose one that is in use.');
  }
  return category.id;
}

/** @throws COUNTERPARTY_IN_USE */
async function refuseInUse(tx: ReadTx, id: string): Promise<void> {
  const { transactions, rules, merged } = await countUses(tx, id);
  if (transactions + rules + merged === 0) return;
  throw new AppError(
    'COUNTERPARTY_IN_USE',
    `The counterparty is in use. Linked transactions, counting deleted ones: ${transactions}; rules that refer to it: ` +
      `${rules}; counterparties merged into it: ${merged}. Merge it into another counterparty instead.`,
  );
}

/** @throws CONFLICT */
async function refuseMerged(tx: ReadTx, row: CounterpartiesTable): Promise<void> {
  if (row.canonical_counterparty_id === null) return;
  const target = await counterparties.find(tx, row.canonical_counterparty_id);
  const message = `This counterparty was merged into ${target?.short_id}. Link the transactions to that one.`;
  throw new AppError('CONFLICT', message);
}

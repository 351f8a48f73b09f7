import type { CounterpartiesTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { validationError, unknownId } from '../../kernel/errors.ts';
import { changeReferring } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { retargetRules } from '../rules/index.ts';
import { mergeCounterparties as operation } from './counterparties.contract.ts';
import { counterparties, getCounterpartyRow } from './counterparties.entity.ts';
import { selectMergedInto } from './counterparties.queries.ts';
import { counterpartyDetail } from './counterparty-detail.ts';

const SOURCE = 'from_counterparty_id';
const NOTHING = { transactions: 0, rules: 0, counterparties: 0 };

export const mergeCounterparties = handleWrite(operation, 'counterparty.merge', async ({ tx }, { params, body }) => {
  const target = await getCounterpartyRow(tx, params.id);
  const source = await counterparties.find(tx, body.from_counterparty_id);
  if (!source) throw unknownId(SOURCE, 'counterparty', body.from_counterparty_id);
  const isDone = source.canonical_counterparty_id === target.id;
  if (!isDone) await refuse(tx, source, target);
  const merge = async () => {
    const moved = isDone ? NOTHING : await mergeInto(tx, source, target);
    tx.journal.summarise(`Merged the counterparty ${source.name} into ${target.name}`);
    const changed = await getCounterpartyRow(tx, target.id);
    return { counterparty: await counterpartyDetail(tx, changed), moved, dry_run: body.dry_run };
  };
  if (body.dry_run) return { ...(await tx.rehearse(merge)), change_set_id: null };
  return { ...(await merge()), change_set_id: isDone ? null : tx.journal.changeSetId };
});

/** @throws VALIDATION_ERROR */
async function refuse(tx: WriteTx, source: CounterpartiesTable, target: CounterpartiesTable): Promise<void> {
  if (source.id === target.id) throw validationError(SOURCE, 'A counterparty cannot be merged into itself.');
  for (const [path, subject, one] of [
    ['id', 'The target', target],
    [SOURCE, `${SOURCE}: it`, source],
  ] as const) {
    if (one.canonical_counterparty_id === null) continue;
    const other = await counterparties.find(tx, one.canonical_counterparty_id);
    throw validationError(path, `${subject} was already merged into ${other?.short_id}. Send that one instead.`);
  }
}

/** Recorded in the order in which it is done; a revert goes back from the last step to the first. */
async function mergeInto(
  tx: WriteTx,
  source: CounterpartiesTable,
  target: CounterpartiesTable,
): Promise<typeof NOTHING> {
  const transactions = await changeReferring(tx, 'counterparty_id', source.id, (facets) => ({
    ...facets,
    counterpartyId: target.id,
  }));
  const rules = await retargetRules(tx, source.id, target.id);
  const chained = await selectMergedInto(tx, source.id);
  const patch = { canonical_counterparty_id: target.id };
  await counterparties.changeMany(
    tx,
    [...chained, source].map((row) => ({ row, patch })),
  );
  await counterparties.change(tx, target, {
    website_url: target.website_url ?? source.website_url,
    logo_url: target.logo_url ?? source.logo_url,
    category_id: target.category_id ?? source.category_id,
    mcc: target.mcc ?? source.mcc,
  });
  return { transactions, rules, counterparties: chained.length };
}

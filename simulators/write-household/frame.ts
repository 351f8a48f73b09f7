import { shortIdFor } from '../../src/db/short-ids.ts';
import { textIds } from '../../src/db/texts.ts';
import { selectCategories } from '../../src/features/categories/index.ts';
import type { WriteTx } from '../../src/journal/write.ts';
import { fold } from '../../src/kernel/fold.ts';
import type { Household } from '../household.ts';
import { writeAccounts, type WrittenAccount } from './accounts.ts';
import { morningOf, recordCreation } from './record-creation.ts';

/** What the transactions of a household refer to, by the household's own keys. */
export interface Frame {
  accounts: ReadonlyMap<string, WrittenAccount>;
  counterparties: ReadonlyMap<string, string>;
  series: ReadonlyMap<string, string>;
  tags: ReadonlyMap<string, string>;
  categories: ReadonlyMap<string, string>;
  /** Dictionary ids of texts as banks write them; grows with the rows. */
  texts: Map<string, number>;
}

/** Writes members, connections, accounts, balances, tags, counterparties and series. */
export async function writeFrame(tx: WriteTx, household: Household): Promise<Frame> {
  const categories = new Map((await selectCategories(tx)).map(({ slug, id }) => [slug, id]));
  const stamp = morningOf(household.since);
  return {
    accounts: await writeAccounts(tx, household),
    tags: await writeTags(tx, household, stamp),
    counterparties: await writeCounterparties(tx, household, stamp, categories),
    series: await writeSeries(tx, household, stamp),
    categories,
    texts: new Map(),
  };
}

/** Tags by slug; those that the ledger has already, such as needs-review, are used as they are. */
async function writeTags(tx: WriteTx, household: Household, stamp: string): Promise<Map<string, string>> {
  const known = await tx.q.selectFrom('tags').select(['slug', 'id']).execute();
  const ids = new Map(known.map(({ slug, id }) => [slug, id]));
  for (const tag of household.tags) {
    if (ids.has(tag.slug)) continue;
    const row = {
      id: tx.ids.uuid(),
      short_id: await shortIdFor(tx, 'tags'),
      ...tag,
      name_folded: fold(tag.name),
      icon: null,
      created_at: stamp,
      updated_at: stamp,
    };
    await tx.q.insertInto('tags').values(row).execute();
    const { name_folded: _derived, ...record } = row;
    recordCreation(tx, 'tag', record);
    ids.set(tag.slug, row.id);
  }
  return ids;
}

async function writeCounterparties(
  tx: WriteTx,
  household: Household,
  stamp: string,
  categories: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const texts = await textIds(
    tx,
    household.counterparties.map(({ name }) => fold(name)),
  );
  for (const counterparty of household.counterparties) {
    const { name, website_url, mcc, category_slug } = counterparty;
    const record = {
      id: tx.ids.uuid(),
      short_id: await shortIdFor(tx, 'counterparties'),
      name,
      website_url,
      logo_url: null,
      category_id: category_slug === null ? null : (categories.get(category_slug) ?? null),
      mcc,
      canonical_counterparty_id: null,
      created_at: stamp,
      updated_at: stamp,
    };
    const folded = fold(name);
    const row = { ...record, name_folded: folded, name_text_id: texts.get(folded) as number };
    await tx.q.insertInto('counterparties').values(row).execute();
    recordCreation(tx, 'counterparty', record);
    ids.set(counterparty.key, record.id);
  }
  return ids;
}

async function writeSeries(tx: WriteTx, household: Household, stamp: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { key, name, type } of household.series) {
    const record = {
      id: tx.ids.uuid(),
      short_id: await shortIdFor(tx, 'series'),
      name,
      type,
      created_at: stamp,
      updated_at: stamp,
    };
    await tx.q
      .insertInto('series')
      .values({ ...record, name_folded: fold(name) })
      .execute();
    recordCreation(tx, 'series', record);
    ids.set(key, record.id);
  }
  return ids;
}

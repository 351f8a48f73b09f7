import { expect, test } from 'vitest';

import { importFile } from '../../../test/harness/bank-files/bank-files.ts';
import { openLinkedAccounts, type LinkedAccounts } from '../../../test/harness/ledgers/linked-accounts.ts';
import { recordSql } from '../../../test/harness/databases/recorded-sql.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { isMatchedBy } from '../touched-rows.ts';
import { sidesOf } from './open-rows.queries.ts';
import { openPairing } from './plan-matches.ts';

/** Change sets of reconciliations, the oldest first. */
async function reconciled({ app }: LinkedAccounts): Promise<{ [field: string]: unknown }[]> {
  const { change_sets: sets } = (
    await app.request('GET', '/api/v1/change-sets', { query: { source: 'link', limit: 100 } })
  ).json;
  return sets.reverse();
}

/** Columns that the journal records under the name of another field. */
const FIELD_OF: Readonly<Record<string, string>> = {
  amount_cents: 'amount',
  name_text_id: 'name',
  merchant_text_id: 'merchant_name',
};

forEachDatabase((database) => {
  test('a write is followed by a reconciliation exactly if it changes a column that matching reads', async () => {
    const world = await openLinkedAccounts(database);
    await world.primary(['2026-03-04', 1_000, 'Bakery']);
    await world.dependent(['2026-03-04', 1_000, 'Bakery']);
    const { link } = world;
    const ledger = world.app.app.instance.database;
    const match = () => ledger.read(async (tx) => openPairing(tx, await sidesOf(tx, link), link.id, new Set([1_000])));
    const queries = await recordSql(world.app).during(match, 'small');
    const ofRows = queries.filter((query) => query.includes('from transactions t')).join();
    const read = new Set([...ofRows.matchAll(/\bt"?\."?(\w+)/g)].map(([, column = '']) => FIELD_OF[column] ?? column));
    const [row = {}] = await rowsOf(ledger, 'select * from transactions');
    expect(read.size).toBeGreaterThan(1);
    for (const column of Object.keys(row).filter((name) => name !== 'id')) {
      const field = FIELD_OF[column] ?? column;
      expect([field, isMatchedBy({ [field]: null })]).toEqual([field, read.has(field)]);
    }
  });

  test('rows that somebody enters, deletes and restores are matched and attributed at once', async () => {
    const world = await openLinkedAccounts(database);
    const entered = async (account: { id: string }): Promise<string> =>
      (
        await world.call('POST', '/transactions', {
          account_id: account.id,
          date: '2026-03-04',
          amount: '10.00',
          name: 'Bakery',
        })
      ).json.id;
    const p = await entered(world.card);
    expect(await world.pairs()).toEqual([]);
    const d = await entered(world.copy);
    expect(await world.pairs()).toEqual([[p, d]]);
    expect(await world.attributed(p)).toBe(world.ben.short_id);
    expect(await reconciled(world)).toMatchObject([
      {
        source: 'link',
        surface: 'system',
        action: 'account_link.reconcile',
        sync_log_id: null,
        import_id: null,
        actor_type: 'system',
      },
    ]);

    await world.call('DELETE', `/transactions/${d}`);
    expect(await world.pairs()).toEqual([]);
    expect(await world.attributed(p)).toBeNull();
    await world.call('POST', `/transactions/${d}/restore`);
    expect(await world.pairs()).toEqual([[p, d]]);
    expect(await world.attributed(p)).toBe(world.ben.short_id);
  });

  test('deleting a row of a confirmed pair ends it; reverting that brings pair and attribution back', async () => {
    const world = await openLinkedAccounts(database);
    const [p] = await world.primary(['2026-03-04', 1_000, 'Bakery']);
    const [d, other] = await world.dependent(['2026-03-04', 1_000, 'Bakery'], ['2026-03-04', 1_000, 'Cafe']);
    await world.reconcile();
    const [match] = await world.matches();
    await world.decide(match, 'confirm');

    const deleted = await world.call('DELETE', `/transactions/${d}`);
    // The other row of that amount is the next partner.
    expect(await world.pairs()).toEqual([[p, other]]);
    expect(await world.attributed(p)).toBe(world.ben.short_id);
    await world.call('POST', `/change-sets/${String(deleted.headers['x-change-set-id'])}/revert`, {});
    expect(await world.matches()).toMatchObject([
      { id: match?.id, confidence: 'confirmed', dependent_transaction_id: d },
    ]);
    expect(await world.attributed(p)).toBe(world.ben.short_id);

    const again = await world.call('DELETE', `/transactions/${p}`);
    expect(await world.pairs()).toEqual([]);
    const undone = await world.call('POST', `/change-sets/${String(again.headers['x-change-set-id'])}/revert`, {});
    expect(await world.matches()).toMatchObject([{ id: match?.id, confidence: 'confirmed' }]);
    expect(await world.attributed(p)).toBe(world.ben.short_id);
    await world.call('POST', `/change-sets/${String(undone.headers['x-change-set-id'])}/revert`, {});
    expect(await world.pairs()).toEqual([]);
  });

  test('reverting a change of a link also finds what the rows entered since go with', async () => {
    const world = await openLinkedAccounts(database, 3);
    for (const patch of [{ enabled: false }, { match_tolerance_days: 0 }]) {
      const before = (await world.pairs()).length;
      const changed = await world.call('PATCH', `/account-links/${world.link.id}`, patch);
      const [date, amount] = ['2026-03-04', `${before + 1}0.00`];
      const row = { amount, name: 'Bakery' };
      await world.call('POST', '/transactions', { ...row, account_id: world.card.id, date });
      await world.call('POST', '/transactions', { ...row, account_id: world.copy.id, date: '2026-03-05' });
      expect(await world.pairs()).toEqual([]);
      await world.call('POST', `/change-sets/${String(changed.headers['x-change-set-id'])}/revert`, {});
      expect(await world.pairs()).toHaveLength(before + 1);
    }
  });

  test('reverting that a link was enabled ends what it has found since', async () => {
    const world = await openLinkedAccounts(database);
    const path = `/account-links/${world.link.id}`;
    await world.call('PATCH', path, { enabled: false });
    const enabled = await world.call('PATCH', path, { enabled: true });
    const body = { date: '2026-03-04', amount: '10.00', name: 'Bakery' };
    const p = (await world.call('POST', '/transactions', { ...body, account_id: world.card.id })).json.id;
    await world.call('POST', '/transactions', { ...body, account_id: world.copy.id });
    expect(await world.attributed(p)).toBe(world.ben.short_id);
    await world.call('POST', `/change-sets/${String(enabled.headers['x-change-set-id'])}/revert`, {});
    expect(await world.pairs()).toEqual([]);
    expect(await world.attributed(p)).toBeNull();
  });

  test('an import reconciles the links of its account, and its revert ends what it matched', async () => {
    const world = await openLinkedAccounts(database);
    const [p, q] = await world.primary(['2026-03-04', 1_000, 'Bakery'], ['2026-03-05', 2_000, 'Shoes']);
    const text = 'Date,Description,Amount\n2026-03-04,Bakery,-10.00\n2026-03-05,Shoes,-20.00\n';
    const fields = { account_id: world.copy.id, sign: 'positive_is_in', iso_currency_code: 'USD' };
    const imported = await importFile(world.app, text, fields);
    expect(imported.status, imported.text).toBe(201);
    const { id: importId } = imported.json.import;
    expect(new Set((await world.pairs()).map(([primary]) => primary))).toEqual(new Set([p, q]));
    expect(await world.attributed(q)).toBe(world.ben.short_id);
    expect(await reconciled(world)).toMatchObject([{ import_id: importId, surface: 'system' }]);
    expect((await world.call('GET', `/imports/${importId}`)).json.status).toBe('completed');

    await world.call('POST', `/imports/${importId}/revert`, {});
    expect(await world.pairs()).toEqual([]);
    expect([await world.attributed(p), await world.attributed(q)]).toEqual([null, null]);
  });

  test('a write without an enabled link, or of other accounts, reconciles nothing', async () => {
    const world = await openLinkedAccounts(database);
    const cash = (
      await world.call('POST', '/accounts', { name: 'Cash', iso_currency_code: 'USD', user_id: world.ada.id })
    ).json;
    const body = { account_id: cash.id, date: '2026-03-04', amount: '10.00', name: 'Bakery' };
    const { id } = (await world.call('POST', '/transactions', body)).json;
    await world.call('DELETE', `/transactions/${id}`);
    expect(await reconciled(world)).toEqual([]);
  });

  test('a reconciliation that fails leaves the write as it is, and the next one repairs it', async () => {
    const world = await openLinkedAccounts(database);
    await world.primary(['2026-03-04', 1_000, 'Bakery']);
    await world.dependent(['2026-03-04', 1_000, 'Bakery']);
    // Nobody has reconciled yet: as after a crash between the write and the reconciliation.
    expect(await world.pairs()).toEqual([]);
    const text = 'Date,Description,Amount\n2026-03-06,Cinema,-30.00\n';
    const imported = await importFile(world.app, text, { account_id: world.card.id, sign: 'positive_is_in' });
    expect(imported.status, imported.text).toBe(201);
    expect(await world.pairs()).toHaveLength(1);
  });

  test('reconciling twice changes nothing', async () => {
    const world = await openLinkedAccounts(database, 3);
    await world.primary(['2026-03-04', 1_000, 'Bakery'], ['2026-03-04', 1_000, 'Bakery'], ['2026-03-09', 500, 'Kiosk']);
    await world.dependent(['2026-03-05', 1_000, 'Bakery'], ['2026-03-05', 1_000, 'Bakery'], ['2026-03-09', 700, 'Bus']);
    const counts = await world.reconcile();
    expect(counts).toEqual({ matched_count: 2, unmatched_primary_count: 1, unmatched_dependent_count: 1 });
    const tables = async (): Promise<unknown[]> =>
      Promise.all(
        ['transaction_matches', 'change_sets', 'changes', 'transactions'].map((table) =>
          rowsOf(world.app.app.instance.database, `select * from ${table} order by 1, 2`),
        ),
      );
    const before = await tables();
    world.app.clock.advance(60_000);
    expect(await world.reconcile()).toEqual(counts);
    expect(await tables()).toEqual(before);
  });
});

import { expect, test } from 'vitest';

import { daily, LINKS, openCardAndCopy } from '../../../test/harness/ledgers/card-and-copy.ts';
import { addAccount, type Made } from '../../../test/harness/ledger.ts';
import { addRows } from '../../../test/harness/ledgers/linked-accounts.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer } from '../../../test/harness/test-app.ts';

const LIST_FIELDS = [
  'confidence',
  'created_at',
  'id',
  'kind',
  'mirror_account_id',
  'primary_account_id',
  'short_id',
].sort();
const FULL_FIELDS = [
  ...LIST_FIELDS,
  'attribute',
  'dependent_account_id',
  'dependent_account_name',
  'dependent_user_name',
  'enabled',
  'match_count',
  'match_strategy',
  'match_tolerance_days',
  'primary_account_name',
  'primary_user_name',
  'unmatched_dependent_count',
  'unmatched_dependent_totals',
  'unmatched_primary_count',
  'updated_at',
  'warnings',
].sort();

const errorOf = ({ status, json }: Answer) => [status, json?.error?.code];

forEachDatabase((database) => {
  test('a link has seven fields in the list, and the rest on its own', async () => {
    const { app, card, copy, link } = await openCardAndCopy(database);
    expect((await app.request('GET', LINKS, { key: app.readOnlyKey })).json).toEqual([]);
    await addRows(app, card, [['2026-03-04', 4_210, 'Corner Market']]);
    await addRows(app, copy, [
      ['2026-03-04', 4_210, 'CORNER MARKET'],
      ['2026-03-05', 3_140, 'Elsewhere', { iso_currency_code: 'EUR' }],
      ['2026-03-05', -140, 'Elsewhere back', { iso_currency_code: 'EUR' }],
    ]);
    const made = await link();
    expect([made.status, made.headers['location']]).toEqual([201, `${LINKS}/${made.json.id}`]);
    expect(Object.keys(made.json).sort()).toEqual([...FULL_FIELDS, 'reconciliation'].sort());
    const counts = { unmatched_primary_count: 0, unmatched_dependent_count: 2 };
    expect(made.json).toMatchObject({
      kind: 'dependent',
      confidence: 'auto',
      primary_account_id: card.id,
      mirror_account_id: copy.id,
      dependent_account_id: copy.id,
      primary_account_name: 'Card',
      dependent_account_name: 'Copy',
      primary_user_name: 'Ada',
      dependent_user_name: 'Ben',
      match_strategy: 'date_amount_name',
      match_tolerance_days: 0,
      attribute: true,
      enabled: true,
      match_count: 1,
      ...counts,
      warnings: ['uncovered_rows'],
      unmatched_dependent_totals: [
        { iso_currency_code: 'EUR', transaction_count: 2, total_amount: '30.00', money_out: '31.40', money_in: '1.40' },
      ],
      reconciliation: { matched_count: 1, ...counts },
    });
    const { reconciliation: _counts, ...full } = made.json;
    for (const id of [full.id, full.short_id]) {
      expect((await app.request('GET', `${LINKS}/${id}`, { key: app.readOnlyKey })).json).toEqual(full);
    }
    const { json: list } = await app.request('GET', LINKS, { key: app.readOnlyKey });
    expect(list).toEqual([Object.fromEntries(LIST_FIELDS.map((field) => [field, full[field]]))]);
    expect(errorOf(await app.request('GET', `${LINKS}/zzzzzzzz`))).toEqual([404, 'NOT_FOUND']);
  });

  test('links are listed newest first, disabled ones too', async () => {
    const { app, ben, copy, card, link } = await openCardAndCopy(database);
    const other = await addAccount(app, ben, { name: 'Second copy' });
    const first = await link({ enabled: false });
    app.clock.advance(1_000);
    const second = await link({ dependent_account_id: other.short_id, primary_account_id: card.short_id });
    expect(second.json.dependent_account_id).toBe(other.id);
    const { json } = await app.request('GET', LINKS);
    expect(json.map(({ id }: Made) => id)).toEqual([second.json.id, first.json.id]);
    expect((await app.request('GET', `/api/v1/accounts/${copy.id}`)).json.is_dependent_linked).toBe(false);
  });

  test('invalid links are refused in the order of the contract, and nothing changes', async () => {
    const { app, ben, card, copy, link } = await openCardAndCopy(database);
    const third = await addAccount(app, ben, { name: 'Third' });
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const body of [
      { primary_account_id: undefined, dependent_account_id: 'zzzzzzzz' },
      { dependent_account_id: undefined, primary_account_id: 'zzzzzzzz' },
      { primary_account_id: 7 },
      { kind: 'dependent' },
      { mirror_account_id: third.id },
      { dependent_account_id: card.short_id },
      ...[-1, 15, 1.5, '1'].map((days) => ({ match_tolerance_days: days })),
      { match_strategy: 'fuzzy' },
    ]) {
      expect([body, errorOf(await link(body))]).toEqual([body, [400, 'VALIDATION_ERROR']]);
    }
    for (const field of ['primary_account_id', 'dependent_account_id']) {
      const refused = await link({ [field]: 'zzzzzzzz' });
      expect([...errorOf(refused), refused.json.error.details[0].path]).toEqual([400, 'INVALID_PARAMETER', field]);
    }
    expect(errorOf(await app.request('POST', LINKS, { key: app.readOnlyKey, body: {} }))[0]).toBe(403);
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    const made = await link({ dependent_account_id: undefined, mirror_account_id: copy.short_id, enabled: false });
    expect(made.status).toBe(201);
    for (const body of [
      {},
      { mirror_account_id: copy.id },
      { primary_account_id: copy.id, dependent_account_id: card.id },
      { primary_account_id: copy.id, dependent_account_id: third.id },
      { primary_account_id: third.id, dependent_account_id: card.id },
    ]) {
      expect([body, errorOf(await link(body))]).toEqual([body, [409, 'CONFLICT']]);
    }
    expect((await link({ dependent_account_id: third.id })).status).toBe(201);
  });

  test('of two identical requests at the same moment, only one creates the link', async () => {
    const { app, link } = await openCardAndCopy(database);
    const statuses = (await Promise.all([link(), link()])).map(({ status }) => status);
    expect([...statuses].sort((a, b) => a - b)).toEqual([201, 409]);
    expect((await app.request('GET', LINKS)).json).toHaveLength(1);
  });

  test('every row of the copy leaves the summary, and counts again once the link is deleted', async () => {
    const { app, card, copy, link, summary } = await openCardAndCopy(database);
    await addRows(app, card, [['2026-03-04', 4_210, 'Market']]);
    const [, pending] = await addRows(app, copy, [
      ['2026-03-04', 4_210, 'Market'],
      ['2026-03-05', 100, 'Not yet booked', { pending: 1 }],
      ['2026-03-06', 200, 'Unmatched'],
    ]);
    const before = await summary();
    const { json } = await link();
    expect((await app.request('GET', `/api/v1/accounts/${copy.id}`)).json.is_dependent_linked).toBe(true);
    const linked = await summary();
    expect(JSON.stringify(linked)).not.toContain(copy.id);
    expect(JSON.stringify(linked)).toContain('42.10');
    expect((await app.request('GET', `/api/v1/transactions/${pending}`)).json.excluded_from_totals).toBe(
      'dependent_account',
    );
    expect((await app.request('DELETE', `${LINKS}/${json.id}`)).status).toBe(204);
    expect(await summary()).toEqual(before);
    expect(errorOf(await app.request('DELETE', `${LINKS}/${json.id}`))).toEqual([404, 'NOT_FOUND']);
  });

  test('accounts that show different transactions are not linked unless someone insists', async () => {
    const { app, card, copy, link, summary } = await openCardAndCopy(database);
    await addRows(app, card, daily('2026-01-01', 30));
    await addRows(app, copy, daily('2026-01-01', 30, { cents: 500_000, name: 'Savings' }));
    const before = await summary();
    const refused = await link();
    expect(errorOf(refused)).toEqual([409, 'CONFLICT']);
    expect(refused.json.error.message).toContain('Of 30 transactions');
    expect(refused.json.error.message).toContain('nothing was changed');
    expect(await summary()).toEqual(before);
    expect((await link({ dry_run: true })).json).toMatchObject({ refused: true, warnings: ['few_matches'] });
    const idle = await link({ enabled: false });
    expect([idle.status, idle.json.warnings]).toEqual([201, []]);
    const path = `${LINKS}/${idle.json.short_id}`;
    expect(errorOf(await app.request('PUT', path, { body: { enabled: true } }))).toEqual([409, 'CONFLICT']);
    const forced = await app.request('PATCH', path, { body: { enabled: true, force: true } });
    expect([forced.status, forced.json.warnings]).toEqual([200, ['few_matches']]);
  });

  test('a short copy, and one that is up to two weeks late, are linked', async () => {
    const { app, ben, card, copy, link } = await openCardAndCopy(database);
    await addRows(app, card, daily('2026-01-01', 60));
    await addRows(app, copy, daily('2026-01-01', 40, { days: 14 }));
    const late = await link();
    expect([late.status, late.json.match_count, late.json.warnings]).toEqual([201, 0, ['few_matches']]);
    const short = await addAccount(app, ben, { name: 'Short' });
    await addRows(app, short, daily('2026-01-01', 19, { cents: 900_000 }));
    expect((await link({ dependent_account_id: short.id })).status).toBe(201);
  });

  test('a dry run writes nothing, compares tolerances, and counts the same as the real call', async () => {
    const { app, card, copy, link } = await openCardAndCopy(database);
    await addRows(app, card, daily('2026-01-01', 25));
    await addRows(app, copy, daily('2026-01-01', 24, { days: 1 }));
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    const none = await link({ dry_run: true });
    expect(none.json).toMatchObject({
      dry_run: true,
      refused: false,
      warnings: ['few_matches'],
      sample_matches: [],
      reconciliation: { matched_count: 0, unmatched_primary_count: 24, unmatched_dependent_count: 24 },
      tolerances: [0, 1, 2, 3, 5].map((days) => ({ match_tolerance_days: days, matched_count: days === 0 ? 0 : 24 })),
    });
    expect(none.json.unmatched_dependent_totals).toMatchObject([{ transaction_count: 24 }]);
    const one = await link({ dry_run: true, match_tolerance_days: 1 });
    expect([one.status, one.headers['x-change-set-id']]).toEqual([200, undefined]);
    expect(one.json.sample_matches).toHaveLength(10);
    expect(one.json.sample_matches[0]).toMatchObject({ matched_on: ['date', 'amount', 'name'], date_distance_days: 1 });
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    const made = await link({ match_tolerance_days: 1 });
    expect(made.json).toMatchObject({
      reconciliation: one.json.reconciliation,
      warnings: one.json.warnings,
      unmatched_dependent_totals: one.json.unmatched_dependent_totals,
    });
    expect(one.json.warnings).toEqual(['whole_account']);
  });

  test('missing history of the primary account is a warning that says how much money is affected', async () => {
    const { app, card, copy, link } = await openCardAndCopy(database);
    await addRows(app, copy, [
      ['2025-03-01', 5_000, 'A year ago'],
      ['2026-03-01', 700, 'Now'],
    ]);
    await addRows(app, card, [['2026-03-01', 700, 'Now']]);
    const { json } = await link();
    expect([json.warnings, json.match_count]).toEqual([['uncovered_rows'], 1]);
    expect(json.unmatched_dependent_totals).toMatchObject([{ total_amount: '50.00' }]);
    await addRows(app, card, [['2025-03-01', 5_000, 'A year ago']]);
    const path = `${LINKS}/${json.id}`;
    expect((await app.request('POST', `${path}/reconcile`)).json.matched_count).toBe(2);
    const { json: now } = await app.request('GET', path);
    expect([now.warnings, now.unmatched_dependent_totals]).toEqual([[], []]);
  });

  test('a primary account left out of totals and a copy without an owner of its own are warnings', async () => {
    const { app, ada, card, copy, link } = await openCardAndCopy(database);
    const { json } = await link();
    const warnings = async () => (await app.request('GET', `${LINKS}/${json.id}`)).json.warnings;
    expect(await warnings()).toEqual([]);
    await app.request('PATCH', `/api/v1/accounts/${card.id}`, { body: { is_excluded: true } });
    await app.request('PATCH', `/api/v1/accounts/${copy.id}`, { body: { owner_user_id: ada.short_id } });
    expect(await warnings()).toEqual(['primary_not_counted', 'no_spender']);
    await app.request('PUT', `${LINKS}/${json.id}`, { body: { attribute: false } });
    expect(await warnings()).toEqual(['primary_not_counted']);
    await app.request('PUT', `${LINKS}/${json.id}`, { body: { enabled: false } });
    expect(await warnings()).toEqual([]);
  });

  test('changing a link updates its matches and attributions', async () => {
    const { app, ben, card, copy, link } = await openCardAndCopy(database);
    const [same, near] = await addRows(app, card, [
      ['2026-03-04', 4_210, 'Market'],
      ['2026-03-07', 800, 'Cafe'],
    ]);
    await addRows(app, copy, [
      ['2026-03-04', 4_210, 'Market'],
      ['2026-03-08', 800, 'Cafe'],
    ]);
    const path = `${LINKS}/${(await link()).json.id}`;
    const put = (body: object) => app.request('PUT', path, { body });
    const owners = async () => {
      const rows = [same, near].map(async (id) => (await app.request('GET', `/api/v1/transactions/${id}`)).json);
      return (await Promise.all(rows)).map(({ attributed_user_id: id }) => id as string | null);
    };
    expect(await owners()).toEqual([ben.short_id, null]);
    expect((await put({ match_tolerance_days: 1 })).json).toMatchObject({ match_count: 2, match_tolerance_days: 1 });
    expect(await owners()).toEqual([ben.short_id, ben.short_id]);
    const nothing = await put({ match_tolerance_days: 1, enabled: true, attribute: true });
    expect([nothing.status, nothing.headers['x-change-set-id']]).toEqual([200, undefined]);
    await put({ attribute: false });
    expect(await owners()).toEqual([null, null]);
    await put({ attribute: true });
    expect(await owners()).toEqual([ben.short_id, ben.short_id]);
    const [, first] = (await app.request('GET', `${path}/matches`)).json.matches;
    await app.request('POST', `/api/v1/transaction-matches/${first.id}/confirm`);
    const off = await put({ enabled: false });
    expect(off.json).toMatchObject({ match_count: 1, confidence: 'confirmed', enabled: false });
    expect(await owners()).toEqual([null, null]);
    const idle = await app.request('POST', `${path}/reconcile`);
    expect(errorOf(idle)).toEqual([409, 'CONFLICT']);
    const on = await put({ enabled: true });
    expect(on.json).toMatchObject({ match_count: 2, confidence: 'auto' });
    expect(await owners()).toEqual([ben.short_id, ben.short_id]);
    expect((await put({ match_tolerance_days: 0 })).json.match_count).toBe(1);
    for (const body of [{ match_tolerance_days: 15 }, { primary_account_id: copy.id }, { match_strategy: 'x' }]) {
      expect(errorOf(await put(body))).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect(errorOf(await app.request('PUT', `${LINKS}/zzzzzzzz`, { body: {} }))).toEqual([404, 'NOT_FOUND']);
  });

  test('reconciling twice changes nothing, and a dry run never does', async () => {
    const { app, card, copy, link } = await openCardAndCopy(database);
    const path = `${LINKS}/${(await link()).json.short_id}`;
    await addRows(app, card, [['2026-03-04', 4_210, 'Market']]);
    await addRows(app, copy, [['2026-03-04', 4_210, 'Market']]);
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    const reconcile = (body?: object) => app.request('POST', `${path}/reconcile`, body ? { body } : {});
    const counts = { matched_count: 1, unmatched_primary_count: 0, unmatched_dependent_count: 0 };
    expect((await reconcile({ dry_run: true })).json).toEqual({ ...counts, dry_run: true });
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    const done = await reconcile();
    expect([done.json, typeof done.headers['x-change-set-id']]).toEqual([counts, 'string']);
    const { json: set } = await app.request('GET', `/api/v1/change-sets/${String(done.headers['x-change-set-id'])}`);
    expect(set).toMatchObject({ action: 'account_link.reconcile', source: 'link' });
    const after = await allRows(app.app.instance.database, ['api_key_uses']);
    const again = await reconcile({});
    expect([again.json, again.headers['x-change-set-id']]).toEqual([counts, undefined]);
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(after);
  });
});

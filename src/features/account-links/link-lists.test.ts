import { expect, test } from 'vitest';

import { daily, LINKS, openCardAndCopy } from '../../../test/harness/ledgers/card-and-copy.ts';
import type { Made } from '../../../test/harness/ledger.ts';
import { addRows } from '../../../test/harness/ledgers/linked-accounts.ts';
import { forEachDatabase, type Answer } from '../../../test/harness/test-app.ts';

const errorOf = ({ status, json }: Answer) => [status, json?.error?.code];

forEachDatabase((database) => {
  test('what is counted as unmatched can be listed, page by page', async () => {
    const { app, card, copy, link } = await openCardAndCopy(database);
    await addRows(app, card, [...daily('2026-03-01', 3), ['2026-05-01', 1, 'After the copy ends']]);
    await addRows(app, copy, daily('2026-03-01', 5, { cents: 1_002 }));
    const { json } = await link();
    expect(json).toMatchObject({ match_count: 0, unmatched_primary_count: 3, unmatched_dependent_count: 5 });
    const list = async (query: Record<string, string>) =>
      (await app.request('GET', `${LINKS}/${json.id}/unmatched`, { query, key: app.readOnlyKey })).json;
    const names = ({ transactions }: { transactions: { name: string }[] }) => transactions.map(({ name }) => name);
    expect(names(await list({ side: 'primary' }))).toEqual(['Shop 2', 'Shop 1', 'Shop 0']);
    const found: string[] = [];
    for (let cursor: string | undefined; cursor !== '';) {
      const page = await list({ side: 'dependent', limit: '2', ...(cursor === undefined ? {} : { cursor }) });
      found.push(...names(page));
      cursor = page.next_cursor as string;
      expect([page.has_more, page.limit]).toEqual([cursor !== '', 2]);
    }
    expect(found).toEqual([4, 3, 2, 1, 0].map((index) => `Shop ${index}`));
    const first = await list({ side: 'dependent', limit: '2' });
    for (const query of [
      { side: 'primary', cursor: first.next_cursor },
      { side: 'dependent', cursor: 'x' },
    ]) {
      expect(errorOf(await app.request('GET', `${LINKS}/${json.id}/unmatched`, { query }))).toEqual([
        400,
        'INVALID_CURSOR',
      ]);
    }
    for (const query of [{}, { side: 'both' }, { side: 'primary', limit: '0' }]) {
      expect(errorOf(await app.request('GET', `${LINKS}/${json.id}/unmatched`, { query }))).toEqual([
        400,
        'INVALID_PARAMETER',
      ]);
    }
    expect(errorOf(await app.request('GET', `${LINKS}/zzzzzzzz/unmatched`, { query: { side: 'primary' } }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });

  test('matches are listed by confidence, page by page', async () => {
    const { app, card, copy, link } = await openCardAndCopy(database);
    await addRows(app, card, daily('2026-03-01', 4));
    await addRows(app, copy, daily('2026-03-01', 4));
    const path = `${LINKS}/${(await link()).json.id}`;
    const list = async (query: Record<string, string> = {}) =>
      (await app.request('GET', `${path}/matches`, { query, key: app.readOnlyKey })).json;
    const { matches } = await list();
    expect(matches.map(({ primary }: { primary: { date: string } }) => primary.date)).toEqual([
      '2026-03-04',
      '2026-03-03',
      '2026-03-02',
      '2026-03-01',
    ]);
    await app.request('POST', `/api/v1/transaction-matches/${matches[0].id}/reject`);
    expect((await list()).matches).toEqual(matches.slice(1));
    expect((await list({ confidence: 'rejected' })).matches).toMatchObject([{ id: matches[0].id }]);
    const [, second] = matches;
    for (const id of [second.primary_transaction_id, second.dependent_transaction_id] as string[]) {
      expect((await list({ transaction_id: id })).matches).toEqual([second]);
    }
    const row = (await app.request('GET', `/api/v1/transactions/${matches[0].primary_transaction_id}`)).json;
    expect((await list({ transaction_id: row.short_id })).matches).toEqual([]);
    const rejected = await list({ transaction_id: row.short_id, confidence: 'rejected' });
    expect(rejected.matches).toMatchObject([{ id: matches[0].id }]);
    const unknown = await app.request('GET', `${path}/matches`, { query: { transaction_id: 'nothing1' } });
    expect(errorOf(unknown)).toEqual([400, 'INVALID_PARAMETER']);
    const found: Made[] = [];
    for (let cursor: string | undefined; cursor !== '';) {
      const page = await list({ limit: '1', ...(cursor === undefined ? {} : { cursor }) });
      found.push(...page.matches);
      cursor = page.next_cursor as string;
    }
    expect(found).toEqual(matches.slice(1));
    const { next_cursor: cursor } = await list({ limit: '1' });
    const query = { cursor, confidence: 'rejected' };
    expect(errorOf(await app.request('GET', `${path}/matches`, { query }))).toEqual([400, 'INVALID_CURSOR']);
    expect(errorOf(await app.request('GET', `${path}/matches`, { query: { confidence: 'sure' } }))).toEqual([
      400,
      'INVALID_PARAMETER',
    ]);
  });
});

import { expect, test } from 'vitest';

import { csvOf, importFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { addMember, type Made } from '../../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const ROWS = ['2026-02-02 COFFEE -3.50', '2026-02-05 FUEL -40.00', '2026-02-09 RENT -800.00'];
const ROUNDS = [0, 1, 2, 3, 4, 5];

forEachDatabase((database) => {
  /** Two servers on one ledger, where the database may have two. */
  async function servers(): Promise<readonly [TestApp, TestApp]> {
    const app = await database.open();
    await addMember(app, 'Ana');
    return [app, database.name === 'SQLite' ? app : await app.again()];
  }
  const load = (app: TestApp, account: string, rows = ROWS): Promise<Answer> =>
    importFile(app, csvOf(...rows), { account_name: account });
  const revert = (app: TestApp, id: string, body: object = {}): Promise<Answer> =>
    app.request('POST', `/api/v1/imports/${id}/revert`, { body });
  const live = async (app: TestApp, account: string): Promise<Made[]> => {
    const accounts = (await app.request('GET', '/api/v1/accounts')).json;
    const { id } = accounts.find((one: { name: string }) => one.name === account);
    return (await app.request('GET', '/api/v1/transactions', { query: { account_id: id } })).json.transactions;
  };
  const inTurn = async <T>(round: number, one: () => Promise<T>, other: () => Promise<T>): Promise<[T, T]> => {
    if (round % 2 === 0) return Promise.all([one(), other()]);
    const [second, first] = await Promise.all([other(), one()]);
    return [first, second];
  };

  test('a file imported again during its own revert is in the ledger completely or not at all', async () => {
    const [app, other] = await servers();
    for (const round of ROUNDS) {
      const account = `Account ${round}`;
      const first = (await load(app, account)).json.import;
      const before = await live(app, account);
      const [again, undone] = await inTurn(
        round,
        () => load(app, account),
        () => revert(other, first.id),
      );
      expect([again.status, undone.status]).toEqual([201, 200]);
      const { added, duplicate } = again.json.import.counts;
      const rows = await live(app, account);
      const expected = added === 0 ? [] : before.map(({ id }) => id);
      expect([rows.map(({ id }) => id), added + duplicate]).toEqual([expected, ROWS.length]);
      const status = (await app.request('GET', `/api/v1/imports/${first.id}`)).json.status;
      expect(status).toBe('reverted');
      const third = await load(app, account);
      expect((await live(app, account)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
      expect(third.json.import.counts[added === 0 ? 'added' : 'duplicate']).toBe(ROWS.length);
    }
  });

  test('one of two simultaneous reverts wins', async () => {
    const [app, other] = await servers();
    for (const round of ROUNDS) {
      const account = `Account ${round}`;
      const { id, change_set_id: setId } = (await load(app, account)).json.import;
      const [one, two] = await inTurn(
        round,
        () => revert(app, id),
        () => other.request('POST', `/api/v1/change-sets/${setId}/revert`, { body: {} }),
      );
      const codes = [one, two].map((answer) => String(answer.json.error?.code ?? answer.json.reverted_count));
      expect(codes.sort()).toEqual([String(ROWS.length), 'ALREADY_REVERTED']);
      expect(await live(app, account)).toEqual([]);
    }
  });

  test('a choice made during a revert stays, or comes too late', async () => {
    const [app, other] = await servers();
    for (const round of ROUNDS) {
      const account = `Account ${round}`;
      const { id } = (await load(app, account)).json.import;
      const [row] = (await live(app, account)) as [Made];
      const [chosen, undone] = await inTurn(
        round,
        () => app.request('PATCH', `/api/v1/transactions/${row.id}/category`, { body: { category_slug: 'travel' } }),
        () => revert(other, id),
      );
      if (chosen.status === 200) {
        expect([undone.status, undone.json.error.code]).toEqual([409, 'REVERT_CONFLICT']);
        expect(await live(app, account)).toHaveLength(ROWS.length);
      } else {
        expect([chosen.status, undone.status]).toEqual([404, 200]);
        expect(await live(app, account)).toEqual([]);
      }
    }
  });

  test('a revert waits for its import to finish writing', async () => {
    const [app] = await servers();
    const { instance } = app.app;
    const undone = Promise.withResolvers<Answer>();
    instance.failpoint = (point) => {
      if (point !== 'import:rows-written') return;
      instance.failpoint = () => {};
      const revertSet = async (): Promise<Answer> => {
        const { imports } = (await app.request('GET', '/api/v1/imports')).json;
        return revert(app, imports[0].id);
      };
      revertSet().then(undone.resolve, undone.reject);
    };
    const done = await load(app, 'Checking');
    const answer = await undone.promise;
    expect([done.status, answer.status, answer.json.deleted_count]).toEqual([201, 200, ROWS.length]);
    expect(await live(app, 'Checking')).toEqual([]);
  });
});

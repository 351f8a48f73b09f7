import { expect, test } from 'vitest';

import { fold } from '../../src/kernel/fold.ts';
import { importFile } from '../harness/bank-files/bank-files.ts';
import { addAccount, addMember, type Made } from '../harness/ledger.ts';
import { rowsOf } from '../harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';
import { computeAutoMatches, type LinkRow, type MatchRow, type Row } from './slow-matching.ts';

/**
 * Random histories of linked accounts. After every step, the `auto` matches, the attributions, the flags of accounts and
 * the totals are what a slow computation finds from the stored rows (contract 50.1.3).
 */

const SEEDS = [1, 2, 23];
const STEPS = 40;
const LONG = { timeout: 240_000 };

interface World {
  readonly app: TestApp;
  readonly members: readonly Made[];
  readonly accounts: readonly Made[];
  readonly history: string[];
  readonly imports: string[];
  readonly next: (below: number) => number;
}

forEachDatabase((database) => {
  test('after every step of a random history, links are what a slow computation says', LONG, async () => {
    const seeds = database.name === 'SQLite' ? SEEDS : SEEDS.slice(0, Math.max(1, SEEDS.length >> 1));
    for (const seed of seeds) {
      const world = await openWorld(await database.open(), seed);
      for (let step = 0; step < STEPS; step += 1) {
        const told = await takeStep(world);
        await expectSettled(world, `seed ${seed}, step ${step}: ${told}`);
      }
      await world.app.close();
    }
  });
});

async function openWorld(app: TestApp, seed: number): Promise<World> {
  const members: Made[] = [];
  for (const name of ['Ada', 'Ben', 'Carla']) members.push(await addMember(app, name));
  const accounts: Made[] = [];
  for (const at of [0, 1, 2, 1])
    accounts.push(await addAccount(app, members[at] as Made, { name: `Card ${accounts.length}` }));
  let state = seed * 2_654_435_761;
  const next = (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
  const world: World = { app, members, accounts, history: [], imports: [], next };
  for (const at of [0, 1, 2, 3, 0, 1]) await importRows(world, at);
  return world;
}

const NAMES = ['Bakery', 'Bakery 42', 'Kiosk', 'bakery'];

async function importRows({ app, accounts, imports, next }: World, account = next(4)): Promise<Answer> {
  const lines = Array.from(
    { length: 1 + next(5) },
    () => `2026-03-0${1 + next(6)},${NAMES[next(4)]},-${next(2) ? '5.00' : '7.00'}`,
  );
  const answer = await importFile(app, `Date,Description,Amount\n${lines.join('\n')}\n`, {
    account_id: accounts[account]?.id ?? '',
    sign: 'positive_is_in',
    iso_currency_code: 'USD',
  });
  const id = answer.json?.import?.id;
  if (typeof id === 'string') imports.push(id);
  return answer;
}

async function takeStep(world: World): Promise<string> {
  const { app, history, next } = world;
  app.clock.advance(1_000);
  const [what, run] = pick(STEP_LIST, next) as (typeof STEP_LIST)[number];
  const answer = await run(world);
  if (!answer) return `${what}: nothing to do`;
  expect(answer.status, `${what}: ${answer.text}`).toBeLessThan(500);
  const set = answer.headers['x-change-set-id'];
  if (typeof set === 'string') history.push(set);
  return `${what} ${answer.status}`;
}

function pick<T>(list: readonly T[], next: World['next']): T | undefined {
  return list.length === 0 ? undefined : list[next(list.length)];
}

type Step = readonly [string, (world: World) => Promise<Answer | undefined>];

const STEP_LIST: readonly Step[] = [
  ['link', linkAccounts],
  ['link', linkAccounts],
  ['import', (world) => importRows(world)],
  ['enter', enterRow],
  ['enter', enterRow],
  ['delete', (world) => onRow(world, 'deleted_at is null', (id) => ['DELETE', `/transactions/${id}`])],
  ['restore', (world) => onRow(world, 'deleted_at is not null', (id) => ['POST', `/transactions/${id}/restore`])],
  ['attribute', attribute],
  ['confirm', (world) => onMatch(world, 'confirm')],
  ['reject', (world) => onMatch(world, 'reject')],
  ['manual', manual],
  ['change link', changeLink],
  ['change link', changeLink],
  ['delete link', (world) => onLink(world, (id) => ['DELETE', `/account-links/${id}`])],
  ['revert', revert],
  ['revert', revert],
  ['revert import', revertImport],
  ['account', changeAccount],
];

async function send(
  { app }: World,
  [method, path, body]: readonly [string, string, (object | undefined)?],
): Promise<Answer> {
  return app.request(method, `/api/v1${path}`, body ? { body } : {});
}

async function linkAccounts(world: World): Promise<Answer> {
  const [primary, dependent] = [pick(world.accounts, world.next), pick(world.accounts, world.next)];
  const body = {
    primary_account_id: primary?.id,
    dependent_account_id: dependent?.id,
    match_tolerance_days: world.next(5),
    enabled: world.next(5) > 0,
    attribute: world.next(5) > 0,
  };
  return send(world, ['POST', '/account-links', body]);
}

async function enterRow(world: World): Promise<Answer> {
  const { next } = world;
  const body = {
    account_id: pick(world.accounts, next)?.id,
    date: `2026-03-0${1 + next(6)}`,
    amount: next(2) ? '5.00' : '7.00',
    name: NAMES[next(4)],
  };
  return send(world, ['POST', '/transactions', body]);
}

async function idsOf({ app }: World, query: string): Promise<string[]> {
  return (await rowsOf<{ id: string }>(app.app.instance.database, query)).map(({ id }) => id);
}

async function onRow(
  world: World,
  where: string,
  call: (id: string) => readonly [string, string, (object | undefined)?],
): Promise<Answer | undefined> {
  const id = pick(await idsOf(world, `select id from transactions where ${where} order by created_at, id`), world.next);
  return id === undefined ? undefined : send(world, call(id));
}

async function attribute(world: World): Promise<Answer | undefined> {
  const member = pick([...world.members, null], world.next)?.short_id ?? null;
  return onRow(world, 'deleted_at is null', (id) => [
    'POST',
    '/transactions/update',
    { operations: [{ transaction_id: id, attributed_user_id: member }] },
  ]);
}

async function onMatch(world: World, how: string): Promise<Answer | undefined> {
  const id = pick(await idsOf(world, 'select id from transaction_matches order by created_at, id'), world.next);
  return id === undefined ? undefined : send(world, ['POST', `/transaction-matches/${id}/${how}`]);
}

async function onLink(
  world: World,
  call: (id: string) => readonly [string, string, (object | undefined)?],
): Promise<Answer | undefined> {
  const id = pick(await idsOf(world, 'select id from account_links order by created_at, id'), world.next);
  return id === undefined ? undefined : send(world, call(id));
}

async function manual(world: World): Promise<Answer | undefined> {
  const [link] = await rowsOf<{ p: string; d: string }>(
    world.app.app.instance.database,
    'select primary_account_id as p, dependent_account_id as d from account_links order by id',
  );
  const of = (account: string | undefined): Promise<string[]> =>
    idsOf(world, `select id from transactions where account_id = '${account}' and deleted_at is null order by id`);
  const [p, d] = [pick(await of(link?.p), world.next), pick(await of(link?.d), world.next)];
  if (p === undefined || d === undefined) return undefined;
  return send(world, [
    'POST',
    '/transaction-matches/manual',
    { primary_transaction_id: p, dependent_transaction_id: d },
  ]);
}

async function changeLink(world: World): Promise<Answer | undefined> {
  const { next } = world;
  const body = pick(
    [{ match_tolerance_days: next(15) }, { enabled: next(2) === 0 }, { attribute: next(2) === 0 }, { enabled: true }],
    next,
  );
  return onLink(world, (id) => ['PATCH', `/account-links/${id}`, body]);
}

async function revert(world: World): Promise<Answer | undefined> {
  const { next } = world;
  // Lately written sets are reverted more often: these are in nobody's way.
  const recent = next(2) ? world.history.slice(-4) : world.history;
  const set = pick(recent, next);
  return set === undefined
    ? undefined
    : send(world, ['POST', `/change-sets/${set}/revert`, { on_conflict: next(2) ? 'refuse' : 'skip' }]);
}

async function revertImport(world: World): Promise<Answer | undefined> {
  const id = pick(world.imports, world.next);
  return id === undefined ? undefined : send(world, ['POST', `/imports/${id}/revert`, {}]);
}

async function changeAccount(world: World): Promise<Answer | undefined> {
  const { next } = world;
  const body = pick(
    [
      { owner_user_id: pick([...world.members, null], next)?.short_id ?? null },
      { is_excluded: next(3) === 0 },
      { is_dependent_linked: true },
    ],
    next,
  );
  return send(world, ['PATCH', `/accounts/${pick(world.accounts, next)?.id}`, body]);
}

async function expectSettled(world: World, told: string): Promise<void> {
  const { app } = world;
  const select = <T>(query: string): Promise<T[]> => rowsOf<T>(app.app.instance.database, query);
  const links = await select<LinkRow>('select * from account_links order by created_at, id');
  const matches = await select<MatchRow>('select * from transaction_matches');
  const rows = await select<Row>('select * from transactions order by id');
  const shown = (
    list: readonly Pick<MatchRow, 'account_link_id' | 'primary_transaction_id' | 'dependent_transaction_id'>[],
  ) => list.map((m) => `${m.account_link_id} ${m.primary_transaction_id} ${m.dependent_transaction_id}`).sort();
  const auto = matches.filter(({ confidence }) => confidence === 'auto');
  expect(shown(auto), told).toEqual(shown(computeAutoMatches(links, matches, rows, fold)));

  const owners = await select<{
    id: string;
    owner: string | null;
    excluded: number;
    by_hand: number;
    dependent: number;
  }>(
    `select a.id, coalesce(a.owner_user_id, c.user_id) as owner, a.is_excluded as excluded,
      a.is_dependent_by_hand as by_hand, a.is_dependent_linked as dependent
     from accounts a left join connections c on c.id = a.connection_id`,
  );
  const accounts = new Map(owners.map((account) => [account.id, account]));
  for (const account of owners) {
    const isDependent = links.some((link) => link.is_enabled === 1 && link.dependent_account_id === account.id);
    expect(account.dependent === 1, `${told}, flag`).toBe(account.by_hand === 1 || isDependent);
  }
  const byId = new Map(links.map((link) => [link.id, link]));
  for (const row of rows) {
    if (row.locks.includes('attribution')) continue;
    const match = matches.find((one) => one.confidence !== 'rejected' && one.primary_transaction_id === row.id);
    const link = byId.get(match?.account_link_id ?? '');
    const isAttributing = link?.is_enabled === 1 && link.is_attributing === 1;
    const owner = isAttributing ? (accounts.get(link.dependent_account_id)?.owner ?? null) : null;
    expect([row.attributed_user_id, row.attributed_by_link_id], `${told}, attribution`).toEqual(
      owner === null ? [null, null] : [owner, link?.id],
    );
  }
  const counted = rows.filter((row) => {
    const account = accounts.get(row.account_id);
    return row.deleted_at === null && account?.excluded === 0 && account.dependent === 0;
  });
  const query = { group_by: 'account', include_pending: 'true' };
  const { totals } = (await app.request('GET', '/api/v1/transactions/summary', { query })).json;
  const cents = counted.reduce((sum, row) => sum + row.amount_cents, 0);
  const said = totals.map((one: { transaction_count: number; total_amount: string }) => [
    one.transaction_count,
    Math.round(Number(one.total_amount) * 100),
  ]);
  expect(said, `${told}, totals`).toEqual(counted.length === 0 ? [] : [[counted.length, cents]]);
}

import { assert, asyncProperty, constantFrom, array, nat, record } from 'fast-check';
import { expect, test } from 'vitest';

import { addAccount, addMember } from '../../../test/harness/ledger.ts';
import { addLink, openLinkedAccounts, type LinkedAccounts } from '../../../test/harness/ledgers/linked-accounts.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { reconcileLink } from './index.ts';

const STEPS = [
  'enter',
  'enter',
  'enter',
  'delete',
  'restore',
  'confirm',
  'reject',
  'manual',
  'revert',
  'attribute',
  'link',
] as const;
/** On a busy machine. */
const LONG = { timeout: 120_000 };
const step = record({ what: constantFrom(...STEPS), which: nat(1_000), other: nat(1_000) });

forEachDatabase((database) => {
  test('whatever people do and undo, matches and attributions are what the rows say', LONG, async () => {
    await assert(
      asyncProperty(array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
        const world = await openLinkedAccounts(database, 2);
        const third = await addAccount(world.app, await addMember(world.app, 'Carla'), { name: 'Third' });
        world.app.clock.advance(1_000);
        await addLink(world.app, world.card, third, 1);
        const history: string[] = [];
        for (const one of steps) await take(world, third.id, history, one);
        await expectSettled(world);
        await world.app.close();
      }),
      { numRuns: database.name === 'SQLite' ? 15 : 2 },
    );
  });
});

async function take(
  world: LinkedAccounts,
  thirdId: string,
  history: string[],
  { what, which, other }: { what: (typeof STEPS)[number]; which: number; other: number },
): Promise<void> {
  const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
  const rows = await world.app.app.instance.database.read(async (tx) =>
    tx.q.selectFrom('transactions').select(['id', 'account_id', 'deleted_at']).orderBy('id').execute(),
  );
  const of = (account: string) => rows.filter((row) => row.account_id === account && row.deleted_at === null);
  const [method, path, body] = ((): [string, string, object?] | [] => {
    if (what === 'enter') {
      const account_id = pick([world.card.id, world.card.id, world.copy.id, thirdId], which);
      const [date, name] = [`2026-03-0${1 + (other % 4)}`, pick(['Bakery', 'Bakery 42', 'Kiosk'], other)];
      return ['POST', '/transactions', { account_id, date, amount: pick(['5.00', '7.00'], other >> 3), name }];
    }
    if (what === 'delete') {
      const row = pick(
        rows.filter(({ deleted_at: at }) => at === null),
        which,
      );
      return row ? ['DELETE', `/transactions/${row.id}`] : [];
    }
    if (what === 'restore') {
      const row = pick(
        rows.filter(({ deleted_at: at }) => at !== null),
        which,
      );
      return row ? ['POST', `/transactions/${row.id}/restore`] : [];
    }
    if (what === 'manual') {
      const primary_transaction_id = pick(of(world.card.id), which)?.id ?? '';
      const dependent_transaction_id = pick([...of(world.copy.id), ...of(thirdId)], other)?.id ?? '';
      return ['POST', '/transaction-matches/manual', { primary_transaction_id, dependent_transaction_id }];
    }
    if (what === 'attribute') {
      const row = pick(of(world.card.id), which);
      const member = pick([world.ada.short_id, null], other) ?? null;
      return row
        ? ['POST', '/transactions/update', { operations: [{ transaction_id: row.id, attributed_user_id: member }] }]
        : [];
    }
    if (what === 'link') {
      const change = pick(
        [
          { enabled: false },
          { enabled: true, force: true },
          { match_tolerance_days: 0 },
          { match_tolerance_days: 3 },
          { attribute: false },
          { attribute: true },
        ],
        other,
      );
      return ['PUT', `/account-links/${world.link.id}`, change ?? {}];
    }
    if (what === 'revert') {
      const set = pick(history, which);
      return set ? ['POST', `/change-sets/${set}/revert`, { on_conflict: pick(['refuse', 'skip'], other) }] : [];
    }
    return [];
  })();
  world.app.clock.advance(1_000);
  const found = what === 'confirm' || what === 'reject' ? pick(await world.matches(), which) : undefined;
  const answer = found
    ? await world.decide(found, what as 'confirm')
    : method
      ? await world.app.request(method, `/api/v1${path}`, body ? { body } : {})
      : undefined;
  expect(answer?.status ?? 200, answer?.text).toBeLessThan(500);
  const set = answer?.headers['x-change-set-id'];
  if (typeof set === 'string') history.push(set);
}

/** Reconciling everything from scratch finds nothing to do, and every row is attributed by its match or by a person. */
async function expectSettled(world: LinkedAccounts): Promise<void> {
  const { database } = world.app.app.instance;
  const before = await world.matches();
  const links = await database.read(async (tx) =>
    tx.q.selectFrom('account_links').selectAll().where('is_enabled', '=', 1).orderBy('created_at').execute(),
  );
  for (const link of links) await world.app.write('account_link.reconcile', (tx) => reconcileLink(tx, link));
  expect(await world.matches()).toEqual(before);
  const rows = await database.read(async (tx) =>
    tx.q
      .selectFrom('transactions as t')
      .leftJoin('transaction_matches as m', (join) =>
        join.onRef('m.primary_transaction_id', '=', 't.id').on('m.confidence', '<>', 'rejected'),
      )
      .select(['t.id', 't.locks', 't.deleted_at', 't.attributed_by_link_id', 'm.account_link_id'])
      .execute(),
  );
  for (const row of rows) {
    if (row.deleted_at !== null) expect(row.account_link_id).toBeNull();
    const isByHand = row.locks.includes('attribution');
    const on = links.find((one) => one.id === row.account_link_id);
    expect(row.attributed_by_link_id).toBe(isByHand || on?.is_attributing !== 1 ? null : row.account_link_id);
  }
}

import { expect, test } from 'vitest';

import { daily, LINKS, openCardAndCopy } from '../../../test/harness/ledgers/card-and-copy.ts';
import { addAccount, addMember, type Made } from '../../../test/harness/ledger.ts';
import { addRows } from '../../../test/harness/ledgers/linked-accounts.ts';
import { timeline } from '../../../test/harness/ledgers/timeline.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

/** Sends a call that must succeed, a second after the last one. */
async function send(app: TestApp, method: string, path: string, body?: object): Promise<Answer> {
  app.clock.advance(1_000);
  const answer = await app.request(method, path, body ? { body } : {});
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

async function revert(app: TestApp, answer: Answer): Promise<Answer> {
  return send(app, 'POST', `/api/v1/change-sets/${String(answer.headers['x-change-set-id'])}/revert`, {});
}

const accountPath = ({ id }: Made): string => `/api/v1/accounts/${id}`;

async function isDependent(app: TestApp, account: Made): Promise<boolean> {
  return (await app.request('GET', accountPath(account))).json.is_dependent_linked;
}

/** A link with five matched purchases, and what is visible of them. */
async function matched(database: Parameters<typeof openCardAndCopy>[0]) {
  const household = await openCardAndCopy(database);
  const { app, card, copy, link, summary } = household;
  const primary = await addRows(app, card, daily('2026-03-01', 5));
  const dependent = await addRows(app, copy, daily('2026-03-01', 5));
  const before = await summary();
  app.clock.advance(1_000);
  const made = await link();
  expect(made.json.match_count).toBe(5);
  const owners = async (): Promise<(string | null)[]> => {
    const found: (string | null)[] = [];
    for (const id of primary)
      found.push((await app.request('GET', `/api/v1/transactions/${id}`)).json.attributed_user_id);
    return found;
  };
  const pairs = async () =>
    (await app.request('GET', `${LINKS}/${made.json.id}/matches`, { query: { confidence: 'auto,confirmed,rejected' } }))
      .json.matches;
  return { ...household, primary, dependent, before, made, path: `${LINKS}/${made.json.id}`, owners, pairs };
}

const all = (owner: string | null): (string | null)[] => Array.from({ length: 5 }, () => owner);

forEachDatabase((database) => {
  test('a copy stays out of totals when it is undone that a person took it out before it was linked', async () => {
    const { app, copy, link } = await openCardAndCopy(database);
    const byHand = await send(app, 'PATCH', accountPath(copy), { is_dependent_linked: true });
    const made = await link();
    const undone = await revert(app, byHand);
    expect(await isDependent(app, copy)).toBe(true);
    // It is the link's from now on, and counts again without it.
    const gone = await send(app, 'DELETE', `${LINKS}/${made.json.id}`);
    expect(await isDependent(app, copy)).toBe(false);
    await revert(app, gone);
    await revert(app, undone);
    await send(app, 'DELETE', `${LINKS}/${made.json.id}`);
    expect(await isDependent(app, copy)).toBe(true);
  });

  test.each([false, true])(
    'a copy that a person counts against its link counts again when that is undone and repeated (taken out before: %s)',
    async (isTakenOut) => {
      const { app, copy, link } = await openCardAndCopy(database);
      if (isTakenOut) await send(app, 'PATCH', accountPath(copy), { is_dependent_linked: true });
      const made = await link();
      app.clock.advance(1_000);
      const counted = await send(app, 'PATCH', accountPath(copy), { is_dependent_linked: false });
      const undone = await revert(app, counted);
      expect(await isDependent(app, copy)).toBe(true);
      const repeated = await revert(app, undone);
      expect(await isDependent(app, copy)).toBe(false);
      // A link that is enabled again has the last word.
      await revert(app, repeated);
      await send(app, 'PATCH', `${LINKS}/${made.json.id}`, { enabled: false });
      await send(app, 'PATCH', `${LINKS}/${made.json.id}`, { enabled: true, force: true });
      expect(await isDependent(app, copy)).toBe(true);
    },
  );

  test('the flag of the copy remembers who set it', async () => {
    const { app, ada, card, copy, link } = await openCardAndCopy(database);
    const other = await addAccount(app, ada, { name: 'Replaced card' });
    const set = (is_dependent_linked: boolean) => send(app, 'PATCH', accountPath(copy), { is_dependent_linked });
    const remove = ({ json }: Answer) => send(app, 'DELETE', `${LINKS}/${json.id}`);
    const shown: boolean[] = [];
    const step = async (write: Promise<Answer>): Promise<Answer> => {
      const answer = await write;
      shown.push(await isDependent(app, copy));
      return answer;
    };
    // Set by the link, and cleared with the last link in which the account is the copy.
    const first = await step(link());
    const second = await step(link({ primary_account_id: other.id }));
    await step(remove(first));
    await step(send(app, 'PUT', `${LINKS}/${second.json.id}`, { enabled: false }));
    await step(send(app, 'PUT', `${LINKS}/${second.json.id}`, { enabled: true }));
    // Setting the value that it already has does not make it a person's choice.
    await step(set(true));
    await step(remove(second));
    expect(shown.splice(0)).toEqual([true, true, true, false, true, true, false]);
    // Set by a person before: it stays the person's choice.
    await step(set(true));
    const third = await step(link());
    await step(remove(third));
    expect(shown.splice(0)).toEqual([true, true, true]);
    // Cleared by a person: it stays cleared until a link is created or enabled.
    await set(false);
    const fourth = await step(link());
    const fifth = await step(link({ primary_account_id: other.id }));
    await step(set(false));
    await step(send(app, 'PUT', `${LINKS}/${fifth.json.id}`, { match_tolerance_days: 2 }));
    await step(send(app, 'PUT', `${LINKS}/${fifth.json.id}`, { enabled: false }));
    await step(send(app, 'PUT', `${LINKS}/${fifth.json.id}`, { enabled: true }));
    await step(remove(fourth));
    expect(shown).toEqual([true, true, false, false, false, true, true]);
    expect(await isDependent(app, card)).toBe(false);
  });

  test('an account that is only the primary one keeps counting', async () => {
    const { app, ben, card, copy, link } = await openCardAndCopy(database);
    const another = await addAccount(app, ben, { name: 'Another copy' });
    const made = await link();
    await link({ dependent_account_id: another.id });
    await send(app, 'DELETE', `${LINKS}/${made.json.id}`);
    expect(await Promise.all([card, copy, another].map((one) => isDependent(app, one)))).toEqual([false, false, true]);
  });

  test('reverting the creation has the effect of deleting, whatever has happened to the matches since', async () => {
    const { app, ben, made, primary, before, summary, owners, pairs, copy } = await matched(database);
    const [confirmed, rejected] = await pairs();
    await send(app, 'POST', `/api/v1/transaction-matches/${confirmed.id}/confirm`);
    await send(app, 'POST', `/api/v1/transaction-matches/${rejected.id}/reject`);
    const [later] = await addRows(app, copy, [['2026-03-20', 9_900, 'Later']]);
    await send(app, 'POST', `${LINKS}/${made.json.id}/reconcile`);
    await send(app, 'DELETE', `/api/v1/transactions/${later}`);
    const who = await owners();
    expect(who.filter((owner) => owner === ben.short_id)).toHaveLength(4);
    const undone = await revert(app, made);
    expect(undone.json).toMatchObject({ skipped: [] });
    expect(await owners()).toEqual(all(null));
    expect([await isDependent(app, copy), (await app.request('GET', LINKS)).json]).toEqual([false, []]);
    expect(await summary()).toEqual(before);
    const events = (await timeline(app, primary[0] as string)).map(({ kind }) => kind);
    expect(events).toEqual(expect.arrayContaining(['attributed', 'unattributed']));
    // Reverting the revert brings it back.
    await revert(app, undone);
    expect([await owners(), await isDependent(app, copy)]).toEqual([who, true]);
  });

  test('reverting a deletion brings link, matches and rejected pairs back', async () => {
    const { app, made, path, owners, pairs, copy, ben } = await matched(database);
    const [confirmed, rejected] = await pairs();
    await send(app, 'POST', `/api/v1/transaction-matches/${confirmed.id}/confirm`);
    await send(app, 'POST', `/api/v1/transaction-matches/${rejected.id}/reject`);
    const [found, who] = [await pairs(), await owners()];
    const deleted = await send(app, 'DELETE', path);
    expect([await owners(), await isDependent(app, copy)]).toEqual([all(null), false]);
    await revert(app, deleted);
    const ids = (rows: Made[]): string[] => rows.map(({ id }) => id);
    expect(ids(await pairs())).toEqual(ids(found));
    expect([await owners(), await isDependent(app, copy)]).toEqual([who, true]);
    expect(who).toContain(ben.short_id);
    expect((await app.request('GET', path)).json).toMatchObject({ id: made.json.id, match_count: 4 });
  });

  test('attributions of a deleted link are removed; those that people made stay', async () => {
    const { app, ada, ben, path, primary, owners } = await matched(database);
    const attribute = (id: string | undefined, attributed_user_id: string | null) =>
      send(app, 'POST', '/api/v1/transactions/update', { operations: [{ transaction_id: id, attributed_user_id }] });
    await attribute(primary[0], ada.short_id);
    await attribute(primary[1], null);
    await attribute(primary[2], ben.short_id);
    const kept = [ada.short_id, null, ben.short_id];
    expect(await owners()).toEqual([...kept, ben.short_id, ben.short_id]);
    await send(app, 'DELETE', path);
    expect(await owners()).toEqual([...kept, null, null]);
  });

  test('attributions follow the owner of the copy, in the change set of that write', async () => {
    const { app, ben, copy, owners } = await matched(database);
    const cleo = await addMember(app, 'Cleo');
    expect(await owners()).toEqual(all(ben.short_id));
    const changed = await send(app, 'PATCH', accountPath(copy), { owner_user_id: cleo.short_id });
    expect(await owners()).toEqual(all(cleo.short_id));
    const id = String(changed.headers['x-change-set-id']);
    expect((await app.request('GET', `/api/v1/change-sets/${id}`)).json).toMatchObject({ updated_count: 6 });
    const again = await revert(app, changed);
    expect(await owners()).toEqual(all(ben.short_id));
    await revert(app, again);
    expect(await owners()).toEqual(all(cleo.short_id));
    await send(app, 'DELETE', `/api/v1/users/${cleo.id}`);
    expect(await owners()).toEqual(all(ben.short_id));
  });

  test('a copy that comes back without its link counts in totals', async () => {
    const { app, card, copy, path, before, summary } = await matched(database);
    const deletion = (account: Made) => send(app, 'DELETE', `${accountPath(account)}?delete_transactions=true`);
    const [ofCopy, ofCard] = [await deletion(copy), await deletion(card)];
    const revertPath = `/api/v1/change-sets/${String(ofCopy.headers['x-change-set-id'])}/revert`;
    expect((await app.request('POST', revertPath, { body: {} })).json.error.code).toBe('REVERT_CONFLICT');
    const returned = await send(app, 'POST', revertPath, { on_conflict: 'skip' });
    expect(await isDependent(app, copy)).toBe(false);
    expect(JSON.stringify(await summary())).toContain(copy.id);
    // Without both accounts, and with them, all is as it was.
    await revert(app, returned);
    await revert(app, ofCard);
    expect((await app.request('GET', accountPath(copy))).status).toBe(404);
    await revert(app, ofCopy);
    expect(await isDependent(app, copy)).toBe(true);
    await send(app, 'DELETE', path);
    expect(await summary()).toEqual(before);
  });

  test('a copy that counts without its link leaves totals when the link comes back later', async () => {
    const { app, card, copy, path } = await matched(database);
    const deletion = (account: Made) => send(app, 'DELETE', `${accountPath(account)}?delete_transactions=true`);
    const [ofCopy, ofCard] = [await deletion(copy), await deletion(card)];
    const revertPath = `/api/v1/change-sets/${String(ofCopy.headers['x-change-set-id'])}/revert`;
    await send(app, 'POST', revertPath, { on_conflict: 'skip' });
    expect(await isDependent(app, copy)).toBe(false);
    await revert(app, ofCard);
    // What was skipped can be undone now.
    await send(app, 'POST', revertPath, {});
    expect((await app.request('GET', path)).json).toMatchObject({ match_count: 5, enabled: true });
    expect(await isDependent(app, copy)).toBe(true);
  });

  test('a copy that a person took out of totals comes back so', async () => {
    const { app, card, copy, link } = await openCardAndCopy(database);
    await send(app, 'PATCH', accountPath(copy), { is_dependent_linked: true });
    await link();
    const ofCopy = await send(app, 'DELETE', accountPath(copy));
    await send(app, 'DELETE', accountPath(card));
    const revertPath = `/api/v1/change-sets/${String(ofCopy.headers['x-change-set-id'])}/revert`;
    await send(app, 'POST', revertPath, { on_conflict: 'skip' });
    expect(await isDependent(app, copy)).toBe(true);
  });

  test('the links of a deleted account end with it, and come back with it', async () => {
    const { app, ben, card, copy, path, owners } = await matched(database);
    for (const account of [card, copy]) {
      const deleted = await send(app, 'DELETE', `${accountPath(account)}?delete_transactions=true`);
      expect((await app.request('GET', LINKS)).json).toEqual([]);
      if (account === card) expect(await isDependent(app, copy)).toBe(false);
      else expect(await owners()).toEqual(all(null));
      const undone = await revert(app, deleted);
      expect((await app.request('GET', path)).json).toMatchObject({ match_count: 5, enabled: true });
      expect([await isDependent(app, copy), await owners()]).toEqual([true, all(ben.short_id)]);
      // Deleted again, and back once more.
      const redone = await revert(app, undone);
      expect((await app.request('GET', accountPath(account))).status).toBe(404);
      expect((await app.request('GET', LINKS)).json).toEqual([]);
      await revert(app, redone);
      expect((await app.request('GET', path)).json).toMatchObject({ match_count: 5, enabled: true });
      expect([await isDependent(app, copy), await owners()]).toEqual([true, all(ben.short_id)]);
    }
  });

  test('creating an account cannot be reverted while a link names it, on either side', async () => {
    const app = await database.open();
    await addMember(app, 'Ada');
    const make = (name: string) => send(app, 'POST', '/api/v1/accounts', { name, iso_currency_code: 'EUR' });
    const [card, copy] = [await make('Card'), await make('Copy')];
    const pair = { primary_account_id: card.json.id, dependent_account_id: copy.json.id };
    const { json: link } = await send(app, 'POST', LINKS, { ...pair, enabled: false });
    for (const { headers } of [card, copy]) {
      const set = `/api/v1/change-sets/${String(headers['x-change-set-id'])}/revert`;
      const refused = await app.request('POST', set, { body: {} });
      expect([refused.status, refused.json.error.details[0].reason], refused.text).toEqual([409, 'in_use']);
    }
    expect((await app.request('GET', `${LINKS}/${link.id}`)).json).toMatchObject(pair);
    await send(app, 'DELETE', `${LINKS}/${link.id}`);
    for (const account of [card, copy]) await revert(app, account);
    expect((await app.request('GET', '/api/v1/accounts')).json).toEqual([]);
  });

  test('the links of an erased account end with it', async () => {
    const { app, ada, ben, copy, owners } = await matched(database);
    const wipe = (member: Made) => send(app, 'POST', `/api/v1/users/${member.id}/wipe-data`, { include_shared: true });
    const wiped = await wipe(ben);
    expect([(await app.request('GET', LINKS)).json, await owners()]).toEqual([[], all(null)]);
    const set = `/api/v1/change-sets/${String(wiped.headers['x-change-set-id'])}`;
    expect((await app.request('GET', set)).json).toMatchObject({ action: 'user.wipe_data', revertible: false });
    const again = await addAccount(app, ben, { name: 'Another copy' });
    const card = await addAccount(app, ada, { name: 'Another card' });
    await send(app, 'POST', LINKS, { primary_account_id: card.id, dependent_account_id: again.id });
    await wipe(ada);
    expect([(await app.request('GET', LINKS)).json, await isDependent(app, again)]).toEqual([[], false]);
    expect((await app.request('GET', accountPath(copy))).status).toBe(404);
  });
});

import { expect, test } from 'vitest';

import { openLinkedAccounts } from '../../../test/harness/ledgers/linked-accounts.ts';
import { addAccount, type Made } from '../../../test/harness/ledger.ts';
import { propose } from '../../../test/harness/agents/proposals.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { createAccountLink } from '../agent-tools/tools/create-account-link.ts';
import { deleteAccountLink } from '../agent-tools/tools/delete-account-link.ts';

forEachDatabase((database) => {
  /** An agent may propose that the copy belongs to the card: both have the row that was bought. */
  const proposing = async () => {
    const linked = await openLinkedAccounts(database);
    const { app, card, copy, link, ben } = linked;
    const call = async (method: string, path: string, body?: unknown) => linked.call(method, path, body);
    const { key } = await app.newKey({ name: 'Reviewer', actor_type: 'agent' });
    await call('DELETE', `/account-links/${link.id}`);
    const [bought] = (await linked.primary(['2026-04-02', 1_250, 'Grocer'])) as [string];
    await linked.dependent(['2026-04-02', 1_250, 'Grocer']);
    const third = await addAccount(app, ben, { name: 'Third' });
    const body = { primary_account_id: card.id, dependent_account_id: copy.id };
    return {
      app,
      card,
      copy,
      third,
      ben,
      bought,
      call,
      proposeLink: async () => propose(app, createAccountLink.operation, { key, body }),
      proposeDeletion: async (id: string) => propose(app, deleteAccountLink.operation, { key, body: { link_id: id } }),
      approve: async (id: string, wanted: object = {}) => {
        app.clock.advance(1_000);
        return app.request('POST', `/api/v1/proposals/${id}/approve`, { body: wanted });
      },
      isCopy: async ({ id }: Made) => (await call('GET', `/accounts/${id}`)).json.is_dependent_linked as boolean,
      links: async () => (await call('GET', '/account-links')).json.length as number,
      pairs: async () => linked.pairs(),
      attributed: async () => linked.attributed(bought),
      /** Reverts the set, then that revert and so on; each time the link is there or not, with all that it does. */
      revertInTurn: async (setId: string, expected: readonly boolean[]) => {
        let latest = setId;
        for (const isThere of expected) {
          const reverted = await call('POST', `/change-sets/${latest}/revert`);
          expect([reverted.status, reverted.json.skipped_count], reverted.text).toEqual([200, 0]);
          latest = reverted.json.change_set.id;
          const { json: links } = await call('GET', '/account-links');
          const { json: account } = await call('GET', `/accounts/${copy.id}`);
          const owner = isThere ? ben.short_id : null;
          const found = [links.length, account.is_dependent_linked, await linked.attributed(bought)];
          expect(found).toEqual([isThere ? 1 : 0, isThere, owner]);
        }
      },
    };
  };

  test('a proposed link is a conflict once its accounts are linked the other way round, or would form a chain', async () => {
    const { card, copy, third, proposeLink, approve, isCopy, links, call } = await proposing();
    const meanwhile = [
      [copy, card],
      [third, card],
      [copy, third],
    ] as const;
    for (const [primary, dependent] of meanwhile) {
      const { proposal_id: id } = await proposeLink();
      const body = { primary_account_id: primary.id, dependent_account_id: dependent.id };
      const { json: link } = await call('POST', '/account-links', body);
      // The link, and the match that needs it.
      expect((await call('GET', `/proposals/${id}`)).json.conflict_count).toBe(2);
      const refused = await approve(id);
      expect([refused.status, refused.json.error.code], refused.text).toEqual([409, 'PROPOSAL_CONFLICT']);
      expect(refused.json.error.details[0]).toMatchObject({ entity_type: 'account_link', reason: 'exists' });
      // The rest of the plan takes no account out of totals without its link.
      expect((await approve(id, { on_conflict: 'skip' })).status).toBe(200);
      expect([await links(), await isCopy(copy)]).toEqual([1, false]);
      await call('DELETE', `/account-links/${link.id}`);
    }
  });

  test('a proposed match of a row that another match has now is a conflict; the link is approved without it', async () => {
    const world = await proposing();
    const { app, card, third, bought, proposeLink, approve, isCopy, copy, call, pairs, attributed } = world;
    const { proposal_id: id } = await proposeLink();
    const date = { date: '2026-04-02', amount: '12.50', name: 'Grocer' };
    const other = (await app.request('POST', '/api/v1/transactions', { body: { account_id: third.id, ...date } })).json;
    const body = { primary_account_id: card.id, dependent_account_id: third.id };
    const { json: link } = await call('POST', '/account-links', body);
    const refused = await approve(id);
    expect([refused.status, refused.json.error.code], refused.text).toEqual([409, 'PROPOSAL_CONFLICT']);
    const conflict = { entity_type: 'transaction_match', reason: 'exists', fields: ['primary_transaction_id'] };
    expect(refused.json.error.details).toMatchObject([conflict]);
    const done = await approve(id, { on_conflict: 'skip' });
    expect([done.status, done.json.skipped_count], done.text).toEqual([200, 1]);
    expect([await isCopy(copy), await pairs()]).toEqual([true, [[bought, other.id]]]);
    await call('DELETE', `/account-links/${link.id}`);
    expect(await attributed()).not.toBeNull();
  });

  test('without its link, a copy stays in totals and nobody is attributed', async () => {
    const { copy, proposeLink, approve, isCopy, links, attributed } = await proposing();
    const { proposal_id: id } = await proposeLink();
    const done = await approve(id, { exclude: [1], on_conflict: 'skip' });
    expect(done.status, done.text).toBe(200);
    expect([await links(), await isCopy(copy), await attributed()]).toEqual([0, false, null]);
  });

  test('a link that was refused, proposed again and approved takes its copy out of totals', async () => {
    const { app, card, copy, ben, proposeLink, approve, isCopy, attributed } = await proposing();
    const { proposal_id: first } = await proposeLink();
    await app.request('POST', `/api/v1/proposals/${first}/reject`, { body: {} });
    expect(await proposeLink()).toMatchObject({ proposal_id: null });
    const { key } = await app.newKey({ name: 'Another agent', actor_type: 'agent' });
    const body = { primary_account_id: card.id, dependent_account_id: copy.id };
    const { proposal_id: second } = await propose(app, createAccountLink.operation, { key, body });
    const done = await approve(second);
    expect(done.status, done.text).toBe(200);
    expect([await isCopy(copy), await attributed()]).toEqual([true, ben.short_id]);
    const undone = await app.request('POST', `/api/v1/change-sets/${done.json.change_set_id}/revert`, { body: {} });
    expect(undone.status, undone.text).toBe(200);
    expect([await isCopy(copy), await attributed()]).toEqual([false, null]);
  });

  test('an approved link is named in the timeline, and can be undone and brought back', async () => {
    const { ben, bought, call, proposeLink, approve, revertInTurn } = await proposing();
    const { proposal_id: id, link } = await proposeLink();
    const { change_set_id: setId } = (await approve(id)).json;
    const [entry] = (await call('GET', `/transactions/${bought}/annotations?kind=attributed`)).json.slice(-1);
    expect(entry.payload).toMatchObject({ user_id: ben.short_id, account_link_id: link.id });
    await revertInTurn(setId, [false, true, false]);
  });

  test('the approved end of a link can be undone and repeated', async () => {
    const { card, copy, call, proposeDeletion, approve, isCopy, attributed, revertInTurn } = await proposing();
    const body = { primary_account_id: card.id, dependent_account_id: copy.id };
    const { json: link } = await call('POST', '/account-links', body);
    const { proposal_id: id } = await proposeDeletion(link.id);
    const { change_set_id: setId } = (await approve(id)).json;
    expect([await isCopy(copy), await attributed()]).toEqual([false, null]);
    await revertInTurn(setId, [true, false, true]);
  });
});

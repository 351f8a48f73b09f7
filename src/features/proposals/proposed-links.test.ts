import { expect, test } from 'vitest';

import { openLinkedAccounts, type LinkedAccounts } from '../../../test/harness/linked-accounts.ts';
import { addAccount, type Made } from '../../../test/harness/ledger.ts';
import { propose, type Proposed } from '../../../test/harness/proposals.ts';
import { forEachDatabase, type Answer } from '../../../test/harness/test-app.ts';
import { createAccountLink } from '../agent-tools/create-account-link.ts';

interface Proposing extends LinkedAccounts {
  /** An account of Ben's that is linked with nothing. */
  third: Made;
  /** The purchase in the card and its copy. */
  bought: string;
  /** The agent proposes that `copy` is a copy of the card. */
  proposeLink(): Promise<Proposed>;
  approve(id: string, body?: object): Promise<Answer>;
  isCopy(account: Made): Promise<boolean>;
  links(): Promise<number>;
}

forEachDatabase((database) => {
  async function proposing(): Promise<Proposing> {
    const linked = await openLinkedAccounts(database);
    const { app, card, copy, link, ben, call } = linked;
    const { key } = await app.newKey({ name: 'Reviewer', actor_type: 'agent' });
    await call('DELETE', `/account-links/${link.id}`);
    const [bought] = (await linked.primary(['2026-04-02', 1_250, 'Grocer'])) as [string];
    await linked.dependent(['2026-04-02', 1_250, 'Grocer']);
    const body = { primary_account_id: card.id, dependent_account_id: copy.id };
    return {
      ...linked,
      third: await addAccount(app, ben, { name: 'Third' }),
      bought,
      proposeLink: () => propose(app, createAccountLink.operation, { key, body }),
      async approve(id, wanted = {}) {
        app.clock.advance(1_000);
        return app.request('POST', `/api/v1/proposals/${id}/approve`, { body: wanted });
      },
      isCopy: async ({ id }) => (await call('GET', `/accounts/${id}`)).json.is_dependent_linked,
      links: async () => (await call('GET', '/account-links')).json.length,
    };
  }

  test('without its link, a copy stays in totals and nobody is attributed', async () => {
    const { bought, copy, proposeLink, approve, isCopy, links, attributed } = await proposing();
    const { proposal_id: id } = await proposeLink();
    const done = await approve(id, { exclude: [1], on_conflict: 'skip' });
    expect(done.status, done.text).toBe(200);
    expect([await links(), await isCopy(copy), await attributed(bought)]).toEqual([0, false, null]);
  });

  test('a link that was refused, proposed again and approved takes its copy out of totals', async () => {
    const { app, bought, copy, ben, proposeLink, approve, isCopy, attributed } = await proposing();
    const { proposal_id: first } = await proposeLink();
    await app.request('POST', `/api/v1/proposals/${first}/reject`, { body: {} });
    const { proposal_id: second } = await proposeLink();
    const done = await approve(second);
    expect(done.status, done.text).toBe(200);
    expect([await isCopy(copy), await attributed(bought)]).toEqual([true, ben.short_id]);
    const undone = await app.request('POST', `/api/v1/change-sets/${done.json.change_set_id}/revert`, { body: {} });
    expect(undone.status, undone.text).toBe(200);
    expect([await isCopy(copy), await attributed(bought)]).toEqual([false, null]);
  });
});

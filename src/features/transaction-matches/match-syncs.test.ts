import { expect, test } from 'vitest';

import { addAccount, addMember } from '../../../test/harness/ledger.ts';
import { addRows } from '../../../test/harness/ledgers/linked-accounts.ts';
import { accountOf, itemOf, pageOf, rowOf } from '../../../test/harness/banks/made-up-provider.ts';
import { runASync } from '../../../test/harness/syncs/run-a-sync.ts';
import { openSyncedHousehold } from '../../../test/harness/syncs/synced-household.ts';
import { forEachDatabase, type Answer } from '../../../test/harness/test-app.ts';

forEachDatabase((database) => {
  test('a sync reconciles the links of its accounts; a row that it withdraws leaves its match in the same write', async () => {
    const { app, plaid, connect } = await openSyncedHousehold(database);
    const connection = await connect();
    const state = itemOf([accountOf('card', { mask: '1234' })]);
    const row = rowOf('row-1', { externalAccountId: 'card', date: '2026-04-03', name: 'GROCER', amountCents: 2_345 });
    const sync = async (...parts: Parameters<typeof pageOf>) => {
      app.clock.advance(60_000);
      plaid.answers = [{ parts: [pageOf(...parts)], outcome: { state } }];
      return runASync(app, connection.id);
    };
    const call = async (method: string, path: string, body?: object): Promise<Answer> => {
      const answer = await app.request(method, `/api/v1${path}`, body ? { body } : {});
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer;
    };
    await sync([]);
    const [card] = (await call('GET', `/accounts?connection_id=${connection.id}`)).json;
    const ben = await addMember(app, 'Ben');
    const copy = await addAccount(app, ben, { name: 'Copy' });
    const [d] = await addRows(app, copy, [['2026-04-03', 2_345, 'GROCER']]);
    const link = (await call('POST', '/account-links', { primary_account_id: card.id, dependent_account_id: copy.id }))
      .json;
    expect(link.reconciliation.matched_count).toBe(0);

    const added = await sync([row]);
    const { matches } = (await call('GET', `/account-links/${link.id}/matches`)).json;
    expect(matches).toMatchObject([{ dependent_transaction_id: d, attributed_user_id: ben.short_id }]);
    const sets = (await call('GET', '/change-sets?source=link')).json.change_sets;
    expect(sets).toMatchObject([{ action: 'account_link.reconcile', sync_log_id: added.id, surface: 'system' }]);
    expect(added).toMatchObject({ status: 'success', added_count: 1 });

    // Another sync that changes nothing leaves no trace.
    await sync([row]);
    expect((await call('GET', '/change-sets?source=link')).json.change_sets).toHaveLength(1);

    const withdrawn = await sync([], { removed: ['row-1'] });
    expect(withdrawn.removed_count).toBe(1);
    expect((await call('GET', `/account-links/${link.id}/matches`)).json.matches).toEqual([]);
    const { changes } = (await call('GET', `/change-sets/${withdrawn.change_set_id}`)).json;
    const ended = changes.filter(({ entity_type }: { entity_type: string }) => entity_type === 'transaction_match');
    expect(ended).toMatchObject([{ operation: 'delete', entity_id: matches[0].id }]);
    expect((await call('GET', '/change-sets?source=link')).json.change_sets).toHaveLength(1);
  });
});

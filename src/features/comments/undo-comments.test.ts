import { expect, test } from 'vitest';

import { journalOf } from '../../../test/harness/journal-rows.ts';
import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer } from '../../../test/harness/test-app.ts';
import { netChanges, type NetChange, type Obstacle } from '../../journal/undo.ts';
import { comments } from './index.ts';

forEachDatabase((database) => {
  async function ledger() {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const row = { account, date: '2026-04-25', amount_cents: 2_340, name: 'Corner Cafe' };
    const [transaction] = (await addTransactions(app, [row])) as [Made];
    const call = (method: string, rest = '', body?: unknown): Promise<Answer> => {
      app.clock.advance(1_000);
      const sent = body === undefined ? {} : { body };
      return app.request(method, `/api/v1/transactions/${transaction.id}/comments${rest}`, sent);
    };
    const list = async () => (await call('GET')).json;
    /** What a write did to each comment. */
    const changesOf = async (...answers: Answer[]): Promise<NetChange[]> => {
      const rows = (await Promise.all(answers.map((answer) => journalOf(app, answer)))).flat();
      return netChanges(
        rows.map((one, index) => ({
          changeSetId: '',
          sequence: index + 1,
          entityType: 'comment',
          entityId: one.entity_id,
          entityShortId: null,
          operation: one.operation as NetChange['operation'],
          before: one.before,
          after: one.after,
          internal: one.internal,
          transactionId: one.transaction_id,
          source: 'edit',
          ruleId: null,
          appliedBy: null,
          isRevertible: true,
          revertedByChangeSetId: null,
        })),
      );
    };
    /** Undoes these writes together. Answers the obstacles. */
    const revertSet = async (...answers: Answer[]): Promise<(Obstacle | null)[]> => {
      app.clock.advance(1_000);
      const changes = await changesOf(...answers);
      return app.write('test.revert', async (tx) => [...(await comments.undo.undo(tx, changes, false)).values()]);
    };
    return { app, call, list, revertSet };
  }

  test('a new comment is removed, once', async () => {
    const { call, list, revertSet } = await ledger();
    const made = await call('POST', '', { body: 'One' });
    expect(await revertSet(made)).toEqual([]);
    expect(await list()).toEqual([]);
    expect(await revertSet(made)).toMatchObject([{ reason: 'missing' }]);
    expect((await call('DELETE', `/${made.json.id}`)).status).toBe(404);
  });

  test('a new comment that has been edited since stays', async () => {
    const { call, list, revertSet } = await ledger();
    const made = await call('POST', '', { body: 'One' });
    const edited = await call('PUT', `/${made.json.id}`, { body: 'Two' });
    expect(await revertSet(made)).toMatchObject([{ reason: 'changed_since', fields: ['body', 'edited'] }]);
    expect(await list()).toEqual([edited.json]);
  });

  test('undoing an edit restores the text, and whether it counts as edited', async () => {
    const { call, list, revertSet } = await ledger();
    const made = await call('POST', '', { body: 'One' });
    const first = await call('PUT', `/${made.json.id}`, { body: 'Two' });
    const second = await call('PUT', `/${made.json.id}`, { body: 'Three' });
    expect(await revertSet(first)).toMatchObject([{ reason: 'changed_since', fields: ['body'] }]);
    expect(await revertSet(second)).toEqual([]);
    expect(await list()).toMatchObject([{ body: 'Two', edited: true, created_at: made.json.created_at }]);
    expect(await revertSet(first)).toEqual([]);
    const [now] = await list();
    expect(now).toEqual({ ...made.json, updated_at: now.updated_at });
    expect(now.updated_at > second.json.updated_at).toBe(true);
    await call('DELETE', `/${made.json.id}`);
    expect(await revertSet(second)).toMatchObject([{ reason: 'missing' }]);
  });

  test('undoing a deletion restores the comment as it was', async () => {
    const { call, list, revertSet } = await ledger();
    const made = await call('POST', '', { body: 'One' });
    const edited = await call('PUT', `/${made.json.id}`, { body: 'Two' });
    const gone = await call('DELETE', `/${made.json.id}`);
    expect(await revertSet(gone)).toEqual([]);
    expect(await list()).toEqual([edited.json]);
    expect(await revertSet(gone)).toMatchObject([{ reason: 'exists' }]);
  });

  test('an edit and a deletion in one change set are undone together', async () => {
    const { call, list, revertSet } = await ledger();
    const made = await call('POST', '', { body: 'One' });
    const edited = await call('PUT', `/${made.json.id}`, { body: 'Two' });
    const gone = await call('DELETE', `/${made.json.id}`);
    expect(await revertSet(edited, gone)).toEqual([]);
    expect(await list()).toMatchObject([{ body: 'One', edited: false }]);
  });
});

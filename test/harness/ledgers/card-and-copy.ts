import { addDays } from '../../../src/kernel/dates.ts';
import { addAccount, addMember } from '../ledger.ts';
import type { Answer, TestDatabase } from '../test-app.ts';
import type { ShortRow } from './linked-accounts.ts';

export const LINKS = '/api/v1/account-links';

/** Ada's card, and Ben's copy of it. */
export async function openCardAndCopy(database: TestDatabase) {
  const app = await database.open();
  const [ada, ben] = [await addMember(app, 'Ada'), await addMember(app, 'Ben')];
  const card = await addAccount(app, ada, { name: 'Card' });
  const copy = await addAccount(app, ben, { name: 'Copy' });
  const link = (body: object = {}): Promise<Answer> =>
    app.request('POST', LINKS, { body: { primary_account_id: card.id, dependent_account_id: copy.id, ...body } });
  const summary = async () =>
    (
      await app.request('GET', '/api/v1/transactions/summary', {
        query: { group_by: 'account', include_pending: 'true' },
      })
    ).json;
  return { app, ada, ben, card, copy, link, summary };
}

/** One purchase a day, from a day on. */
export function daily(from: string, count: number, { cents = 1_000, days = 0, name = 'Shop' } = {}): ShortRow[] {
  return Array.from({ length: count }, (_, index): ShortRow => {
    return [addDays(from, index + days), cents + index, `${name} ${index}`];
  });
}

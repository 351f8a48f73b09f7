import { expect, test } from 'vitest';

import { openLinkedAccounts } from '../../../test/harness/linked-accounts.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';

forEachDatabase((database) => {
  test('confirm, reject and confirm again; twice writes nothing', async () => {
    const world = await openLinkedAccounts(database);
    const [p] = await world.primary(['2026-03-04', 1_000, 'Bakery']);
    const [d] = await world.dependent(['2026-03-04', 1_000, 'Bakery']);
    await world.reconcile();
    const [match] = await world.matches();
    expect(match).toMatchObject({
      confidence: 'auto',
      primary_transaction_id: p,
      dependent_transaction_id: d,
      matched_on: '["date","amount","name"]',
    });
    expect(await world.attributed(p)).toBe(world.ben.short_id);

    const confirmed = await world.decide(match, 'confirm');
    expect(confirmed.json).toMatchObject({
      id: match?.id,
      confidence: 'confirmed',
      attributed_user_id: world.ben.short_id,
      matched_on: ['date', 'amount', 'name'],
      date_distance_days: 0,
      primary: { name: 'Bakery', merchant_name: null, amount: '10.00', iso_currency_code: 'USD', date: '2026-03-04' },
    });
    expect(confirmed.headers['x-change-set-id']).toBeDefined();
    const again = await world.decide(match, 'confirm');
    expect([again.json, again.headers['x-change-set-id']]).toEqual([confirmed.json, undefined]);

    const rejected = await world.decide(match, 'reject');
    expect(rejected.json).toMatchObject({ id: match?.id, confidence: 'rejected', attributed_user_id: null });
    expect(await world.attributed(p)).toBeNull();
    expect((await world.decide(match, 'reject')).headers['x-change-set-id']).toBeUndefined();
    await world.reconcile();
    expect(await world.matches()).toMatchObject([{ id: match?.id, confidence: 'rejected' }]);

    const back = await world.decide(match, 'confirm');
    expect(back.json).toMatchObject({ id: match?.id, confidence: 'confirmed' });
    expect(await world.attributed(p)).toBe(world.ben.short_id);
  });
});

import { addDays } from '../../src/kernel/dates.ts';
import type { HouseholdAccount, HouseholdTransaction } from '../household.ts';
import { plaidAccount, plaidFacts } from '../plaid/ready-made.ts';
import type { Stage } from './stage.ts';
import type { DemoBanks } from '../demo-banks.ts';

/** Ben's own login at Ada's bank shows the card that he has of hers: the same purchases, a second time. */

const DAYS = 90;
const BEN_PAYS_EVERY = 6;
const LOGIN_REQUIRED = 'ITEM_LOGIN_REQUIRED';
const FUEL = {
  name: 'SHELL OIL 57442',
  merchant_name: 'Shell',
  personal_finance_category: { primary: 'TRANSPORTATION', detailed: 'TRANSPORTATION_GAS', confidence_level: 'HIGH' },
};
const DINNER = { name: 'BISTRO MONTAGE PORTLAND OR', merchant_name: 'Bistro Montage', amount: 61 };

export interface CardToLink {
  rows: readonly HouseholdTransaction[];
  account: HouseholdAccount;
}

export async function linkBensCard(stage: Stage, { plaid }: DemoBanks, { rows, account }: CardToLink): Promise<void> {
  const { ada, ben, at, until } = stage;
  const since = addDays(until, -DAYS);
  const seen = rows.filter((row) => row.date >= since && row.date < addDays(until, -16) && isPurchase(row));
  const own = seen.filter((_, index) => index % BEN_PAYS_EVERY === 0);
  if (own.length === 0) return;
  const card = { ...plaidAccount(account), name: 'HARBOR REWARDS VISA ...7742', mask: '7742' };
  const item = plaid.addItem({ institution_id: 'ins_harbor', institution_name: 'First Harbor Bank', accounts: [card] });
  const cardId = item.accounts[0]?.account_id ?? '';
  const held = [
    { ...FUEL, amount: 75, date: addDays(until, -17), pending: true },
    { ...DINNER, date: addDays(until, -16), pending: true },
  ];
  const copies = own.map((row, index) => {
    const { transaction_id: _own, ...facts } = plaidFacts(row, '', cardId);
    // Where a bank posts a copy a day later, the pair is less certain.
    return { ...facts, authorized_date: null, date: index % 9 === 4 ? addDays(row.date, 1) : row.date };
  });
  const added = [...copies, ...held.map((row) => ({ ...row, account_id: cardId }))];
  const { transaction_ids: ids } = plaid.changeTransactions(item.item_id, { added });

  at(15, '18:50');
  const { user } = await ben.ask('GET', '/auth/session');
  const credentials = {
    public_token: item.public_token,
    institution_id: 'ins_harbor',
    institution_name: 'First Harbor Bank',
  };
  await ben.ask('POST', 'connections', { provider: 'plaid', user_id: user.id, allow_duplicate: true, credentials });
  await stage.sync();

  at(14, '20:20');
  const accounts: { id: string; name: string; mask: string | null }[] = await ada.ask('GET', 'accounts');
  const [primary, dependent] = [account.mask, '7742'].map((mask) => accounts.find((one) => one.mask === mask));
  if (primary && dependent) {
    await ada.ask('PATCH', `accounts/${primary.id}`, { display_name: 'Rewards card' });
    await ben.ask('PATCH', `accounts/${dependent.id}`, { display_name: 'Rewards card, Ben’s copy' });
    const pair = { primary_account_id: primary.id, dependent_account_id: dependent.id, match_tolerance_days: 1 };
    await ada.ask('POST', 'account-links', pair);
  }

  // The bank posts what was held with another amount, and shows the dinner twice: nothing says which is which.
  at(6, '07:10');
  plaid.changeTransactions(item.item_id, {
    removed: ids.slice(-held.length, -1),
    added: [
      { ...FUEL, account_id: cardId, date: addDays(until, -14), amount: 48.3, pending: false },
      { ...DINNER, account_id: cardId, date: addDays(until, -14), pending: false },
    ],
  });
  await tell(stage, plaid, { item_id: item.item_id });
  await stage.sync();

  at(4, '06:15');
  plaid.changeItem(item.item_id, { error: LOGIN_REQUIRED });
  const error = { error_type: 'ITEM_ERROR', error_code: LOGIN_REQUIRED, status: 400 };
  await tell(stage, plaid, { item_id: item.item_id, webhook_type: 'ITEM', webhook_code: 'ERROR', extra: { error } });
}

function isPurchase({ account, pending, amount_cents }: HouseholdTransaction): boolean {
  return account === 'credit-card' && !pending && amount_cents > 0;
}

/** A webhook as the bank signs it, by the story's time. */
async function tell(
  stage: Stage,
  plaid: DemoBanks['plaid'],
  webhook: Parameters<DemoBanks['plaid']['signWebhook']>[0],
): Promise<void> {
  const { headers, body } = plaid.signWebhook({ ...webhook, at: new Date(stage.nowMs()).toISOString() });
  await stage.send('POST', '/webhooks/plaid', headers, body);
}

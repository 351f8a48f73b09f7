import { formatMoney } from '../money.tsx';
import { nameOf, type TransactionRecord } from './transaction-row.tsx';

/** "REWE, €23.40": which transaction a control is about. */
export function whichOf(record: TransactionRecord): string {
  const amount = (record.amount ?? '0.00').replace(/^-/, '');
  return `${nameOf(record)}, ${formatMoney(amount, record.iso_currency_code ?? null)}`;
}

import { inWords } from '../../lib/days.ts';
import { DefinitionList } from '../definition-list.tsx';
import { Instant } from '../instant.tsx';
import type { TransactionRecord } from './transaction-row.tsx';

const CHANNELS = { online: 'Online', in_store: 'In a shop', other: 'Another way' } as const;
const PROVIDERS: Readonly<Record<string, string>> = { csv: 'Files, or by hand', plaid: 'Plaid', teller: 'Teller' };

/** What the bank or the file said, as it said it. */
export function BankFields({ record }: { record: TransactionRecord }) {
  const { provider = '', payment_channel: channel, created_at: made, updated_at: changed, datetime } = record;
  const bought = record.authorized_date;
  const rows = [
    { term: 'Text', value: <bdi className="wrap-anywhere">{record.name}</bdi> },
    { term: 'Merchant', value: record.merchant_name },
    { term: 'Category', value: record.provider_category_primary },
    { term: 'Category, in detail', value: record.provider_category_detailed },
    { term: 'Paid', value: channel ? CHANNELS[channel] : null },
    { term: 'Date of purchase', value: bought ? inWords(bought) : null },
    { term: 'Time', value: datetime ? <Instant at={datetime} /> : null },
    { term: 'Came by', value: PROVIDERS[provider] ?? provider },
    { term: 'First stored', value: made ? <Instant at={made} /> : null },
    { term: 'Last changed', value: changed ? <Instant at={changed} /> : null },
    { term: 'Id', value: <code className="text-sm break-all">{record.id}</code> },
  ];
  return <DefinitionList items={rows.filter(({ value }) => value !== null && value !== undefined)} />;
}

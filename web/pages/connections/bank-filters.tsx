import { listConnections } from '../../../src/features/connections/connections.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { FilterSelect } from '../../components/filters.tsx';
import { bankName, PROVIDER_NAMES } from './connection-words.ts';

/** The providers that banks are synced through. */
const SYNCED = ['plaid', 'teller'] as const;

interface BankFiltersProps {
  connectionId: string | undefined;
  provider: (typeof SYNCED)[number] | undefined;
  onChange: (next: { connection_id?: string | undefined; provider?: (typeof SYNCED)[number] | undefined }) => void;
}

/** Filters of lists about synced banks, disconnected ones included. */
export function BankFilters({ connectionId, provider, onChange }: BankFiltersProps) {
  const connections = useApiQuery(listConnections, { query: { include_disconnected: 'true' } });
  const banks = (connections.data ?? []).filter((one) => one.provider !== 'csv');
  return (
    <>
      <FilterSelect
        label="Bank"
        all="All banks"
        value={connectionId}
        options={banks.map((one) => ({ value: one.id, label: bankName(one) }))}
        onChange={(value) => onChange({ connection_id: value })}
      />
      <FilterSelect
        label="Provider"
        all="All"
        value={provider}
        options={SYNCED.map((name) => ({ value: name, label: PROVIDER_NAMES[name] }))}
        onChange={(value) => onChange({ provider: SYNCED.find((name) => name === value) })}
      />
    </>
  );
}

import type { OutputOf } from '../../../src/contract/operation.ts';
import { getProviderSettings } from '../../../src/features/provider-settings/provider-settings.contract.ts';
import { useApiRecord } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import type { ReadRecord } from '../../components/stored-record.ts';
import { PlaidSection } from './plaid-section.tsx';
import { TellerSection } from './teller-section.tsx';

export type StoredProviderSettings = ReadRecord<OutputOf<typeof getProviderSettings>>;
export type ProviderSettings = OutputOf<typeof getProviderSettings>;

/** The credentials that this service reaches banks with. */
export default function ProvidersPage() {
  const settings = useApiRecord(getProviderSettings, {});
  return (
    <>
      <PageHeader
        title="Bank providers"
        lead="Plaid and Teller fetch data from your banks. You need an account with one of them. You can import bank files without one."
      />
      <Loaded query={settings} lines={10}>
        {(known) => (
          <>
            <PlaidSection settings={{ known, reread: settings.reread }} />
            <TellerSection settings={{ known, reread: settings.reread }} />
          </>
        )}
      </Loaded>
    </>
  );
}

import type { OutputOf } from '../../../src/contract/operation.ts';
import { getProviderSettings } from '../../../src/features/provider-settings/provider-settings.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { PlaidSection } from './plaid-section.tsx';
import { TellerSection } from './teller-section.tsx';

export type ProviderSettings = OutputOf<typeof getProviderSettings>;

/** The credentials that this service reaches banks with. */
export default function ProvidersPage() {
  const settings = useApiQuery(getProviderSettings, {});
  return (
    <>
      <PageHeader
        title="Bank providers"
        lead="Plaid and Teller fetch data from your banks. You need an account with one of them. You can import bank files without one."
      />
      <Loaded query={settings} lines={10}>
        {({ plaid, teller }) => (
          <>
            <PlaidSection key={JSON.stringify(plaid)} settings={plaid} />
            <TellerSection key={JSON.stringify(teller)} settings={teller} />
          </>
        )}
      </Loaded>
    </>
  );
}

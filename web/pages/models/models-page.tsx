import type { OutputOf } from '../../../src/contract/operation.ts';
import { getWorkflowSettings } from '../../../src/features/workflow-settings/workflow-settings.contract.ts';
import { useApiRecord } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import type { ReadRecord } from '../../components/stored-record.ts';
import { LimitsSection } from './limits-section.tsx';
import { PricesSection } from './prices-section.tsx';
import { ProviderSection } from './provider-section.tsx';
import { TestSection } from './test-section.tsx';

export type Settings = OutputOf<typeof getWorkflowSettings>;
export type StoredSettings = ReadRecord<Settings>;

/** Which models workflows use, what they cost, and how much they may spend. */
export default function ModelsPage() {
  const settings = useApiRecord(getWorkflowSettings, {});
  return (
    <>
      <PageHeader
        title="Models"
        lead="The language models that work for your workflows: from a provider, or on a machine of your own."
      />
      <Loaded query={settings} lines={10}>
        {(known) => (
          <>
            <ProviderSection settings={{ known, reread: settings.reread }} />
            <TestSection settings={known.value} />
            <LimitsSection settings={{ known, reread: settings.reread }} />
            <PricesSection settings={{ known, reread: settings.reread }} />
          </>
        )}
      </Loaded>
    </>
  );
}

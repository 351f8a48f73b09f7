import type { OutputOf } from '../../../src/contract/operation.ts';
import { getWorkflowSettings } from '../../../src/features/workflow-settings/workflow-settings.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { LimitsSection } from './limits-section.tsx';
import { PricesSection } from './prices-section.tsx';
import { ProviderSection } from './provider-section.tsx';
import { TestSection } from './test-section.tsx';

export type Settings = OutputOf<typeof getWorkflowSettings>;

/** Which models workflows use, what they cost, and how much they may spend. */
export default function ModelsPage() {
  const settings = useApiQuery(getWorkflowSettings, {});
  return (
    <>
      <PageHeader
        title="Models"
        lead="The language models that work for your workflows: from a provider, or on a machine of your own."
      />
      <Loaded query={settings} lines={10}>
        {(stored) => (
          <>
            <ProviderSection key={keyOf(stored)} settings={stored} />
            <TestSection settings={stored} />
            <LimitsSection settings={stored} />
            <PricesSection settings={stored} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** What the first form shows: it starts fresh when that changes. */
function keyOf({
  provider,
  model,
  models,
  base_url: url,
  api_key_hint: hint,
  context_tokens: tokens,
}: Settings): string {
  return JSON.stringify([provider, model, models, url, hint, tokens]);
}

import { lazy, Suspense } from 'react';

import { Tabs } from '../../components/tabs.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { ActionSamples } from './action-samples.tsx';
import { ChartSamples } from './chart-samples.tsx';
import { DataSamples } from './data-samples.tsx';
import { FormSamples } from './form-samples.tsx';
import { StateSamples } from './state-samples.tsx';

/** Every component in every state, for the eye and for the browser tests. Not in the navigation. */
export default function ComponentsPage() {
  return (
    <>
      <PageHeader title="Components" lead="What every page is made of, with made-up data." />
      <Tabs
        label="Kinds of components"
        tabs={[
          { value: 'actions', label: 'Actions', content: <ActionSamples /> },
          { value: 'forms', label: 'Forms', content: <FormSamples /> },
          { value: 'data', label: 'Data', content: <DataSamples /> },
          { value: 'rows', label: 'Rows', content: <LaterSamples of={RowSamples} /> },
          { value: 'rules', label: 'Rules', content: <LaterSamples of={RuleSamples} /> },
          { value: 'charts', label: 'Charts', content: <ChartSamples /> },
          { value: 'states', label: 'States', content: <StateSamples /> },
        ]}
      />
    </>
  );
}

const RowSamples = lazy(async () => ({ default: (await import('./transaction-samples.tsx')).TransactionSamples }));

const RuleSamples = lazy(async () => ({ default: (await import('./rule-samples.tsx')).RuleSamples }));

function LaterSamples({ of: Samples }: { of: typeof RowSamples }) {
  return (
    <Suspense fallback={<Skeleton />}>
      <Samples />
    </Suspense>
  );
}

import { useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { testWorkflowModel } from '../../../src/features/workflow-settings/workflow-settings.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/page-header.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { durationInWords } from '../../lib/numbers.ts';
import type { Settings } from './models-page.tsx';

const TIERS = [
  { value: 'fast', label: 'Quick work' },
  { value: 'balanced', label: 'Most work' },
  { value: 'deep', label: 'Hard work' },
] as const;
type Tier = (typeof TIERS)[number]['value'];

const WHICH = { answer: 'Short answer', tools: 'Tools', context: 'Long prompt' } as const;

const ABOUT = {
  own: 'Asks the model for a short answer and for a call of a tool, and lets it read a prompt as long as that of a workflow. On a slow machine this takes minutes.',
  other: 'Asks the model for a short answer and for a call of a tool. On a slow machine this takes minutes.',
} as const;

/** Asks the model, and says in plain words what it can do. */
export function TestSection({ settings }: { settings: Settings }) {
  const [tier, choose] = useState<Tier>('fast');
  const test = useApiWrite(testWorkflowModel, { refreshes: [] });
  const run = (): void => test.mutate({ body: { model_tier: tier } });
  return (
    <Section title="Test" about={ABOUT[settings.provider === 'openai_compatible' ? 'own' : 'other']}>
      <div className="mb-4">
        <Segmented label="Model for" options={TIERS} value={tier} onChange={choose} />
      </div>
      {test.error !== null && <ErrorBanner error={test.error} onRetry={run} />}
      {test.data && <Result result={test.data} />}
      <Button
        busy={test.isPending}
        disabledReason={settings.provider === null ? 'Choose a provider first.' : undefined}
        onClick={run}
      >
        Test the model
      </Button>
    </Section>
  );
}

function Result({ result }: { result: OutputOf<typeof testWorkflowModel> }) {
  const {
    model,
    duration_ms: durationMs,
    total_cost_usd: cost,
    supports_tools: callsTools,
    context_ok: reads,
    problems,
  } = result;
  const isFine = problems.length === 0;
  return (
    <Banner tone={isFine ? 'success' : 'warning'} title={isFine ? 'It works.' : 'It answers, but workflows need more.'}>
      <ul className="list-disc pl-5">
        <li>
          {model} answered in {durationInWords(durationMs)}
          {cost === null ? '' : ` for $${cost}`}: “{result.response}”
        </li>
        <li>
          {callsTools
            ? 'It calls tools.'
            : 'It does not call tools, so no workflow can do anything with it. Choose another model.'}
        </li>
        {reads === true && <li>It reads long prompts to their start.</li>}
        {reads === false && (
          <li>
            It forgets the beginning of long prompts, and with it the task. Give it a larger context, such as{' '}
            <code className="wrap-anywhere">OLLAMA_CONTEXT_LENGTH=32768</code> for Ollama.
          </li>
        )}
        {problems.map(({ check, message }) => (
          <li key={check} className="wrap-anywhere">
            {WHICH[check]}: {message}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

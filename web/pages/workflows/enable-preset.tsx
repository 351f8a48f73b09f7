import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';

import { enablePreset } from '../../../src/features/workflow-presets/workflow-presets.contract.ts';
import { updateWorkflow } from '../../../src/features/workflows/workflows.contract.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { messageOf } from '../../api/client.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Banner } from '../../components/banner.tsx';
import { Checkbox, RadioGroup } from '../../components/choice-fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { TextArea, TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { SCOPE_WORDS } from '../runs/run-words.ts';
import { triggerInWords, type Preset } from './workflow-words.ts';
import { workflowTitle } from '../../lib/workflow-titles.ts';

const MAX_BUDGET = LIMITS.workflowBudgetMicros / 1_000_000;

/** What a form holds is text. */
const CHOSEN = {
  body: z.object({
    options: z.record(z.string(), z.string()),
    extra_instructions: z.string(),
    max_budget_usd: z.string().refine((text) => /^\d+(\.\d{1,6})?$/.test(text.trim()) && Number(text) <= MAX_BUDGET, {
      message: `must be a number of US dollars from 0 to ${MAX_BUDGET}`,
    }),
    trigger: z.enum(['preset', 'none']),
    enabled: z.boolean(),
  }),
};
type Chosen = z.output<typeof CHOSEN.body>;

export function EnablePreset({ preset, onClose }: { preset: Preset; onClose: () => void }) {
  const [unfinished, setUnfinished] = useState<Unfinished | null>(null);
  return (
    <Dialog open wide title={`Add: ${workflowTitle(preset.name).title}`} onClose={onClose}>
      {unfinished === null ? (
        <PresetForm preset={preset} onClose={onClose} onUnfinished={setUnfinished} />
      ) : (
        <Banner tone="warning" title="It is added and paused, but not as you chose">
          <p>{unfinished.message}</p>
          <p>
            <PageLink to="/workflows/{slug}" params={{ slug: unfinished.slug }} className={LINK}>
              Open it to set budget and start
            </PageLink>
          </p>
        </Banner>
      )}
    </Dialog>
  );
}

interface Unfinished {
  slug: string;
  message: string;
}

interface PresetFormProps {
  preset: Preset;
  onClose: () => void;
  onUnfinished: (unfinished: Unfinished) => void;
}

function PresetForm({ preset, onClose, onUnfinished }: PresetFormProps) {
  const enable = useApiWrite(enablePreset, {});
  const update = useApiWrite(updateWorkflow, {});
  const form = useOperationForm(CHOSEN, {
    defaults: {
      options: Object.fromEntries(preset.options.map((option) => [option.key, option.default])),
      extra_instructions: '',
      max_budget_usd: String(preset.max_budget_usd),
      trigger: 'preset',
      enabled: false,
    },
    send: async (chosen) => {
      const changes = changesOf(preset, chosen);
      const isWhole = Object.keys(changes).length === 0;
      // It must not begin before its budget and trigger are those that were chosen.
      const { slug } = await enable.mutateAsync({
        params: { slug: preset.slug },
        body: {
          options: chosen.options,
          extra_instructions: chosen.extra_instructions,
          enabled: chosen.enabled && isWhole,
        },
      });
      if (!isWhole) {
        const body = { ...changes, enabled: chosen.enabled };
        const failure = await update.mutateAsync({ params: { slug }, body }).then(() => undefined, messageOf);
        if (failure !== undefined) return onUnfinished({ slug, message: failure });
      }
      showToast(
        chosen.enabled
          ? `“${workflowTitle(preset.name).title}” is on.`
          : `“${workflowTitle(preset.name).title}” is added, and paused.`,
      );
      onClose();
    },
  });
  return (
    <Form form={form} submit="Add" onCancel={onClose}>
      <p className="mb-4 text-muted">
        {preset.description} {SCOPE_WORDS[preset.tool_scope]}.
      </p>
      <Fields preset={preset} />
      <Start preset={preset} />
    </Form>
  );
}

function Fields({ preset }: { preset: Preset }) {
  return (
    <>
      {preset.options.map((option) => (
        <RadioGroup
          key={option.key}
          name={`options.${option.key}`}
          label={option.label}
          hint={option.help}
          options={option.choices.map(({ value, label }) => ({ value, label }))}
        />
      ))}
      <TextArea
        name="extra_instructions"
        label="Extra instructions"
        optional
        hint="What it should know about your household."
      />
      <TextField
        name="max_budget_usd"
        label="Budget of a run, in US dollars"
        inputMode="decimal"
        hint="A run stops when it has cost this much. 0 means no budget of its own."
      />
    </>
  );
}

/** What the preset would do otherwise. */
function changesOf(preset: Preset, { max_budget_usd: budget, trigger }: Chosen) {
  return {
    ...(Number(budget) === preset.max_budget_usd ? {} : { max_budget_usd: Number(budget) }),
    ...(trigger === 'preset' ? {} : { schedule_cron: null, trigger_on_sync_complete: false }),
  };
}

function Start({ preset }: { preset: Preset }) {
  const { trigger } = useWatch() as Chosen;
  if (preset.one_off)
    return <p className="text-muted">It is meant to be run once: press “Run now” when it is added.</p>;
  return (
    <>
      <RadioGroup
        name="trigger"
        label="When it runs"
        options={[
          { value: 'preset', label: triggerInWords(preset) },
          { value: 'none', label: 'Only when you run it' },
        ]}
      />
      {trigger === 'preset' && (
        <Checkbox
          name="enabled"
          label="Switch it on now"
          hint="Otherwise it is added paused: look at it, run it by hand, and resume it when you like what it does."
        />
      )}
    </>
  );
}

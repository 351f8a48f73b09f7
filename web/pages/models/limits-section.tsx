import { z } from 'zod';

import {
  getWorkflowSettings,
  updateWorkflowSettings,
} from '../../../src/features/workflow-settings/workflow-settings.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Checkbox } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Section } from '../../components/page-header.tsx';
import { TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import { inFields } from '../../components/stored-record.ts';
import type { Settings, StoredSettings } from './models-page.tsx';

const whole = z.string().regex(/^\d{1,9}$/, 'must be a whole number');
const FIELDS = {
  body: z.object({
    enabled: z.boolean(),
    global_max_budget_usd: z.string().regex(/^(\d{1,4}(\.\d{1,6})?)?$/, 'must be an amount such as 12.50'),
    max_concurrent: whole,
    run_retention_days: whole,
    proposal_ttl_days: whole,
  }),
};

function fieldsOf(settings: Settings) {
  const { enabled, global_max_budget_usd: ceiling } = settings;
  return {
    enabled,
    global_max_budget_usd: ceiling === null ? '' : String(ceiling),
    max_concurrent: String(settings.max_concurrent),
    run_retention_days: String(settings.run_retention_days),
    proposal_ttl_days: String(settings.proposal_ttl_days),
  };
}

/** How much workflows may spend, how many run at once, and what is kept of them. */
export function LimitsSection({ settings }: { settings: StoredSettings }) {
  const update = useApiWrite(updateWorkflowSettings, {
    refreshes: [getWorkflowSettings],
    onSuccess: () => showToast('Limits saved.'),
  });
  const record = inFields(settings, fieldsOf);
  const form = useOperationForm(FIELDS, {
    defaults: record.values,
    record,
    send: ({ enabled, global_max_budget_usd: most, ...days }, ifMatch) =>
      update.mutateAsync({
        body: {
          enabled,
          global_max_budget_usd: most === '' ? null : Number(most),
          max_concurrent: Number(days.max_concurrent),
          run_retention_days: Number(days.run_retention_days),
          proposal_ttl_days: Number(days.proposal_ttl_days),
        },
        ifMatch,
      }),
    guarded: true,
  });
  return (
    <Section title="Limits" about="How much workflows may spend, how many run at once, and what is kept of them.">
      <Form form={form} submit="Save limits">
        <Checkbox name="enabled" label="Workflows may run" hint="If off, none starts, by itself or by hand." />
        <TextField
          name="global_max_budget_usd"
          label="Most to spend in 30 days, in US dollars"
          inputMode="decimal"
          optional
          hint="For all workflows together. 0 lets none start; empty sets no limit."
        />
        <TextField name="max_concurrent" label="Workflows at once" inputMode="numeric" hint="1 to 50." />
        <TextField
          name="run_retention_days"
          label="Days for which runs are kept"
          inputMode="numeric"
          hint="0 to 3650; 0 keeps them forever."
        />
        <TextField
          name="proposal_ttl_days"
          label="Days after which a proposal expires"
          inputMode="numeric"
          hint="1 to 365."
        />
      </Form>
    </Section>
  );
}

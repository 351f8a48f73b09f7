import { z } from 'zod';

import { getAgentSettings, updateAgentSettings } from '../../../src/features/agent-calls/agent-calls.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Checkbox } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Section } from '../../components/page-header.tsx';
import { TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';
import { inFields } from '../../components/stored-record.ts';
import type { AgentSettings, StoredAgentSettings } from './agents-page.tsx';

const whole = z.string().regex(/^\d{1,9}$/, 'must be a whole number');
const FIELDS = {
  body: z.object({ max_response_bytes: whole, mask_numbers: z.boolean(), call_retention_days: whole }),
};

function fieldsOf(settings: AgentSettings) {
  return {
    max_response_bytes: String(settings.max_response_bytes),
    mask_numbers: settings.mask_numbers,
    call_retention_days: String(settings.call_retention_days),
  };
}

/** How much agents get at once, and how long their calls are kept. */
export function AnswersSection({ settings }: { settings: StoredAgentSettings }) {
  const update = useApiWrite(updateAgentSettings, {
    refreshes: [getAgentSettings],
    onSuccess: () => showToast('Saved.'),
  });
  const record = inFields(settings, fieldsOf);
  const form = useOperationForm(FIELDS, {
    defaults: record.values,
    record,
    send: ({ max_response_bytes: bytes, call_retention_days: days, ...rest }, ifMatch) =>
      update.mutateAsync({
        body: { ...rest, max_response_bytes: Number(bytes), call_retention_days: Number(days) },
        ifMatch,
      }),
    guarded: true,
  });
  return (
    <Section title="Answers and records" about="How much agents get at once, and how long their calls are kept.">
      <Form form={form} submit="Save answers and records">
        <Checkbox
          name="mask_numbers"
          label="Shorten account and card numbers"
          hint="Agents see only the last four digits of numbers in descriptions. The ledger and its rules are not changed."
        />
        <TextField
          name="max_response_bytes"
          label="Largest answer in bytes"
          inputMode="numeric"
          hint="10000 to 1000000. Most clients cut off answers above about 100000."
        />
        <TextField
          name="call_retention_days"
          label="Days for which calls are kept"
          inputMode="numeric"
          hint="0 to 3650; 0 keeps them forever."
        />
      </Form>
      <p className="mt-4">
        <PageLink to="/agent-calls" className={LINK_ALONE}>
          See what agents have done
        </PageLink>
      </p>
    </Section>
  );
}

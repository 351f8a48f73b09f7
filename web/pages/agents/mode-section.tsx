import { useWatch } from 'react-hook-form';
import { z } from 'zod';

import {
  AgentMode,
  getAgentSettings,
  updateAgentSettings,
} from '../../../src/features/agent-calls/agent-calls.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { RadioGroup } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Section } from '../../components/page-header.tsx';
import { showToast } from '../../components/toast-store.ts';
import { inFields } from '../../components/stored-record.ts';
import type { StoredAgentSettings } from './agents-page.tsx';
import { KeysUnderMode } from './keys-under-mode.tsx';

const MODES = [
  {
    value: 'read_only',
    label: 'Only read',
    hint: 'Agents look and answer questions. They cannot change anything, not even with a key that may write.',
  },
  {
    value: 'propose',
    label: 'Propose',
    hint: 'What an agent wants to change becomes a proposal. Nothing changes until one of you approves it.',
  },
  {
    value: 'read_write',
    label: 'Read and write',
    hint: 'Agents do what their keys may do. Every change is in the history, and nearly every one can be undone.',
  },
];
const FIELDS = { body: z.object({ mode: AgentMode }) };

/** The most that any agent may do. */
export function ModeSection({ settings }: { settings: StoredAgentSettings }) {
  const update = useApiWrite(updateAgentSettings, {
    refreshes: [getAgentSettings],
    onSuccess: () => showToast('Saved.'),
  });
  const record = inFields(settings, ({ mode }) => ({ mode }));
  const form = useOperationForm(FIELDS, {
    defaults: record.values,
    record,
    send: (body, ifMatch) => update.mutateAsync({ body, ifMatch }),
    guarded: true,
  });
  const mode = useWatch({ control: form.control, name: 'mode' });
  return (
    <Section title="What agents may do" about="The most that any agent may do, whatever its key says.">
      <Form form={form} submit="Save what agents may do">
        <RadioGroup
          name="mode"
          label="At most"
          hint="Applies from the next request: to agents’ keys everywhere, to other keys at /mcp. Workflows have their own setting."
          options={MODES}
        />
        <KeysUnderMode mode={mode} />
      </Form>
    </Section>
  );
}

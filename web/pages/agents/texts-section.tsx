import { useState } from 'react';
import { z } from 'zod';

import { getAgentSettings, updateAgentSettings } from '../../../src/features/agent-calls/agent-calls.contract.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { useApiWrite } from '../../api/queries.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Section } from '../../components/page-header.tsx';
import { TextArea } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import { inFields } from '../../components/stored-record.ts';
import type { AgentCatalog, StoredAgentSettings } from './agents-page.tsx';

interface TextsSectionProps {
  settings: StoredAgentSettings;
  catalog: AgentCatalog;
}

const TEXTS = [
  {
    name: 'instructions',
    title: 'Instructions',
    about: 'What every agent is told before it begins.',
    max: LIMITS.agentInstructionsChars,
    rows: 8,
  },
  {
    name: 'review_guide',
    title: 'Guide to reviewing',
    about: 'What an agent reads before it goes through new transactions.',
    max: LIMITS.reviewGuideChars,
    rows: 12,
  },
  {
    name: 'report_guide',
    title: 'Guide to reporting',
    about: 'What an agent reads before it writes a report.',
    max: LIMITS.reportGuideChars,
    rows: 12,
  },
] as const;
type Text = (typeof TEXTS)[number];

/** Texts of the household in place of the built-in ones. */
export function TextsSection({ settings, catalog }: TextsSectionProps) {
  return (
    <Section
      title="What agents are told"
      about="Texts that an agent reads before it begins. Yours take the place of the built-in ones."
    >
      {TEXTS.map((text) => (
        <OwnText key={text.name} text={text} settings={settings} builtIn={catalog[text.name]} />
      ))}
    </Section>
  );
}

interface OwnTextProps {
  text: Text;
  settings: StoredAgentSettings;
  builtIn: string;
}

function OwnText({ text, settings, builtIn }: OwnTextProps) {
  // null while the built-in one holds.
  const own = settings.known.value[text.name];
  const [isOpen, open] = useState(false);
  const isEdited = isOpen || own !== null;
  return (
    <div className="mb-6 last:mb-0">
      <h3 className="font-semibold">{text.title}</h3>
      <p className="mb-2 text-sm text-muted">
        {text.about} {own === null ? 'The built-in text is in use.' : 'A text of your own is in use.'}
      </p>
      {isEdited ? (
        <EditText text={text} settings={settings} builtIn={builtIn} onClose={() => open(false)} />
      ) : (
        <>
          <details className="mb-3">
            <summary className="target inline-flex items-center rounded-control text-accent underline underline-offset-2">
              Show the built-in text
            </summary>
            <p className="max-w-prose rounded-control border border-line bg-sunken p-3 text-sm wrap-anywhere whitespace-pre-wrap">
              {builtIn}
            </p>
          </details>
          <Button aria-label={`Write your own: ${text.title}`} onClick={() => open(true)}>
            Write your own
          </Button>
        </>
      )}
    </div>
  );
}

/** Begins with the built-in text, which is easier to change than an empty page. */
function EditText({ text, settings, builtIn, onClose }: OwnTextProps & { onClose: () => void }) {
  const update = useApiWrite(updateAgentSettings, {
    refreshes: [getAgentSettings],
    onSuccess: () => showToast('Saved.'),
  });
  const drop = useApiWrite(updateAgentSettings, {
    refreshes: [getAgentSettings],
    onSuccess: () => {
      showToast('The built-in text is in use again.');
      onClose();
    },
  });
  const record = inFields(settings, (now) => ({ [text.name]: now[text.name] ?? builtIn }));
  const tooLong = `must have at most ${text.max} characters`;
  const form = useOperationForm(
    { body: z.object({ [text.name]: z.string().max(text.max, tooLong) }) },
    {
      defaults: record.values,
      record,
      send: (values, ifMatch) => update.mutateAsync({ body: { [text.name]: values[text.name] ?? '' }, ifMatch }),
      guarded: true,
    },
  );
  const reset = (
    <Button
      busy={drop.isPending}
      aria-label={`Use the built-in text: ${text.title}`}
      onClick={() => drop.mutate({ body: { [text.name]: null } })}
    >
      Use the built-in text
    </Button>
  );
  return (
    <>
      {drop.error !== null && <ErrorBanner error={drop.error} />}
      <Form
        form={form}
        submit={`Save: ${text.title.toLowerCase()}`}
        {...(settings.known.value[text.name] === null ? { onCancel: onClose } : { actions: reset })}
      >
        <TextArea name={text.name} label="Your text" rows={text.rows} />
      </Form>
    </>
  );
}

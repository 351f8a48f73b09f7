import { useState } from 'react';

import { getRun, listRuns, updateRun } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Section } from '../../components/page-header.tsx';
import { TextArea } from '../../components/text-fields.tsx';
import type { Run } from './run-words.ts';

/** What a person wants to remember of this run. No model reads it. */
export function NoteSection({ run }: { run: Run }) {
  const [isEdited, edit] = useState(false);
  const right = useReasonAgainst('full_access');
  return (
    <Section title="Note">
      {isEdited ? (
        <EditNote run={run} onClose={() => edit(false)} />
      ) : (
        <>
          <p className={`mb-3 wrap-anywhere whitespace-pre-wrap ${run.operator_note === null ? 'text-muted' : ''}`}>
            {run.operator_note ?? 'No note. It is for people only; no model reads it.'}
          </p>
          <Button disabledReason={right} onClick={() => edit(true)}>
            {run.operator_note === null ? 'Write a note' : 'Edit the note'}
          </Button>
        </>
      )}
    </Section>
  );
}

function EditNote({ run, onClose }: { run: Run; onClose: () => void }) {
  const update = useApiWrite(updateRun, { refreshes: [getRun, listRuns] });
  const form = useOperationForm(updateRun, {
    defaults: { note: run.operator_note ?? '' },
    send: async (body) => {
      await update.mutateAsync({ params: { id: run.id }, body });
      onClose();
    },
  });
  return (
    <Form form={form} submit="Save" onCancel={onClose}>
      <TextArea name="note" label="Your note" hint="Empty it to remove the note." />
    </Form>
  );
}

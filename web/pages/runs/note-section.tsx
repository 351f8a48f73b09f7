import { useState } from 'react';

import { getRun, listRuns, updateRun } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import { useApiRecord, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inFields, type ReadRecord } from '../../components/stored-record.ts';
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
  const record = useApiRecord(getRun, { params: { id: run.id } });
  return (
    <Loaded query={record} lines={4}>
      {(known) => <NoteForm run={{ known, reread: record.reread }} onClose={onClose} />}
    </Loaded>
  );
}

function NoteForm({ run, onClose }: { run: ReadRecord<Run>; onClose: () => void }) {
  const record = inFields(run, ({ operator_note: note }) => ({ note: note ?? '' }));
  const update = useApiWrite(updateRun, { refreshes: [getRun, listRuns] });
  const form = useOperationForm(updateRun, {
    defaults: record.values,
    record,
    send: async (body, ifMatch) => {
      await update.mutateAsync({ params: { id: run.known.value.id }, body, ifMatch });
      onClose();
    },
  });
  return (
    <Form form={form} submit="Save" onCancel={onClose}>
      <TextArea name="note" label="Your note" hint="Empty it to remove the note." />
    </Form>
  );
}

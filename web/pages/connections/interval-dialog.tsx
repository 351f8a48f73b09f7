import { z } from 'zod';

import { getConnection, updateConnection } from '../../../src/features/connections/connections.contract.ts';
import { useApiRecord, useApiWrite } from '../../api/queries.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Select } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inFields, type ReadRecord } from '../../components/stored-record.ts';
import { showToast } from '../../components/toast-store.ts';
import { intervalInWords, type Connection } from './connection-words.ts';
import { AFTER_SYNC } from './running-syncs.ts';

/** What a list of choices holds is text; empty is the time of all connections. */
const CHOSEN = { body: z.object({ sync_interval_seconds: z.string() }) };
const CHOICES = [3_600, 10_800, 21_600, 43_200, 86_400, 604_800];

interface IntervalDialogProps {
  connection: Connection;
  onClose: () => void;
}

/** How often this bank is asked by itself. A value that somebody set through the API is among the choices too. */
export function IntervalDialog({ connection, onClose }: IntervalDialogProps) {
  const record = useApiRecord(getConnection, { params: { id: connection.id } });
  return (
    <Dialog open title="Change how often it syncs" onClose={onClose}>
      <Loaded query={record} lines={3}>
        {(known) => <IntervalForm connection={{ known, reread: record.reread }} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

type Own = Pick<Connection, 'id' | 'sync_interval_seconds'>;

function IntervalForm({ connection, onClose }: { connection: ReadRecord<Own>; onClose: () => void }) {
  const save = useApiWrite(updateConnection, {
    refreshes: AFTER_SYNC,
    onSuccess: () => {
      showToast('Saved.');
      onClose();
    },
  });
  const { id, sync_interval_seconds: own } = connection.known.value;
  const record = inFields(connection, ({ sync_interval_seconds: seconds }) => ({
    sync_interval_seconds: seconds === null ? '' : String(seconds),
  }));
  const form = useOperationForm(CHOSEN, {
    defaults: record.values,
    record,
    send: ({ sync_interval_seconds: seconds }, ifMatch) =>
      save.mutateAsync({
        params: { id },
        body: { sync_interval_seconds: seconds === '' ? null : Number(seconds) },
        ifMatch,
      }),
  });
  const choices = own === null || CHOICES.includes(own) ? CHOICES : [...CHOICES, own].sort((a, b) => a - b);
  return (
    <Form form={form} submit="Save">
      <Select
        name="sync_interval_seconds"
        label="Sync"
        hint="Banks post most transactions once or twice a day."
        options={[
          { value: '', label: intervalInWords(null) },
          ...choices.map((seconds) => ({ value: String(seconds), label: intervalInWords(seconds) })),
        ]}
      />
    </Form>
  );
}

import { useState } from 'react';

import { getConnection, updateConnection } from '../../../src/features/connections/connections.contract.ts';
import { useApiRecord, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Facts, type Definition } from '../../components/definition-list.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { inFields, type ReadRecord } from '../../components/stored-record.ts';
import { TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import { intervalInWords, stateOf, type ConnectionState } from './connection-words.ts';
import { AFTER_SYNC } from './running-syncs.ts';
import { IntervalDialog } from './interval-dialog.tsx';

/** How the connection is, and when it syncs. */
export function FactsSection({ connection, isRunning }: { connection: ConnectionState; isRunning: boolean }) {
  const [isEditing, edit] = useState(false);
  const close = (): void => edit(false);
  const isCsv = connection.provider === 'csv';
  return (
    <Section title="State" actions={<EditButton connection={connection} onClick={() => edit(true)} />}>
      <Facts items={itemsOf(connection, isRunning)} />
      {isEditing && isCsv && <NameDialog connection={connection} onClose={close} />}
      {isEditing && !isCsv && <IntervalDialog connection={connection} onClose={close} />}
    </Section>
  );
}

function EditButton({ connection, onClick }: { connection: ConnectionState; onClick: () => void }) {
  const right = useReasonAgainst('full_access');
  const reason = connection.status === 'disconnected' ? 'The connection is disconnected.' : right;
  return (
    <Button disabledReason={reason} onClick={onClick}>
      {connection.provider === 'csv' ? 'Change the name' : 'Change how often it syncs'}
    </Button>
  );
}

function itemsOf(connection: ConnectionState, isRunning: boolean): Definition[] {
  const { tone, word } = stateOf(connection);
  const state = isRunning ? <Status tone="info">Syncing…</Status> : <Status tone={tone}>{word}</Status>;
  if (connection.provider === 'csv') {
    return [
      { term: 'State', value: state },
      { term: 'Last import', value: <Instant at={connection.last_sync_at} /> },
    ];
  }
  return [
    { term: 'State', value: state, note: connection.error_message ?? undefined },
    { term: 'Last successful sync', value: <Instant at={connection.last_sync_at} /> },
    { term: 'Next sync', value: <Instant isPlanned at={connection.next_sync_at} never="none planned" /> },
    { term: 'How often', value: intervalInWords(connection.sync_interval_seconds) },
    ...(connection.last_error_at === null
      ? []
      : [{ term: 'Last problem', value: <Instant at={connection.last_error_at} />, ...failures(connection) }]),
    {
      term: 'Your permission ends',
      value: <Instant isPlanned at={connection.consent_expires_at} never="the bank has not said" />,
    },
    { term: 'Connected', value: <Instant at={connection.created_at} /> },
  ].map(({ note, ...item }: Definition) => (note === undefined ? item : { ...item, note }));
}

function failures({ consecutive_failures: count }: ConnectionState): Partial<Definition> {
  return count > 1 ? { note: `${count} syncs in a row have failed.` } : {};
}

function NameDialog({ connection, onClose }: { connection: ConnectionState; onClose: () => void }) {
  const record = useApiRecord(getConnection, { params: { id: connection.id } });
  return (
    <Dialog open title="Change the name" onClose={onClose}>
      <Loaded query={record} lines={3}>
        {(known) => <NameForm connection={{ known, reread: record.reread }} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

type Named = Pick<ConnectionState, 'id' | 'institution_name'>;

function NameForm({ connection, onClose }: { connection: ReadRecord<Named>; onClose: () => void }) {
  const save = useApiWrite(updateConnection, {
    refreshes: AFTER_SYNC,
    onSuccess: () => {
      showToast('Name changed.');
      onClose();
    },
  });
  const record = inFields(connection, ({ institution_name: name }) => ({ institution_name: name ?? '' }));
  const form = useOperationForm(updateConnection, {
    defaults: record.values,
    record,
    send: (body, ifMatch) => save.mutateAsync({ params: { id: connection.known.value.id }, body, ifMatch }),
  });
  return (
    <Form form={form} submit="Save">
      <TextField name="institution_name" label="Name" />
    </Form>
  );
}

import { getApiKey, listApiKeys, NewApiKey, updateApiKey } from '../../../src/features/api-keys/api-keys.contract.ts';
import { SCOPES as SCOPE_NAMES } from '../../../src/kernel/scopes.ts';
import { useApiRecord, useApiWrite, type KnownRecord } from '../../api/queries.ts';
import { useTimezone } from '../../api/timezone.ts';
import { Select } from '../../components/choice-fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inFields } from '../../components/stored-record.ts';
import { TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import { dayInWords } from '../../lib/instants.ts';
import type { ApiKey } from './api-keys-page.tsx';
import { Expiry, ExpirySelect, expiryInstant, OwnerSelect, SCOPES } from './key-fields.tsx';

const KeyForm = {
  body: NewApiKey.pick({ name: true, scope: true, user_id: true, actor_name: true }).extend({ expiry: Expiry }),
};

/** What of a key can change. Its access can only be lowered, so that no key in use ever does more than it was made for. */
export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const record = useApiRecord(getApiKey, { params: { id: apiKey.id } });
  return (
    <Dialog open title={`Edit ${apiKey.name}`} onClose={onClose}>
      <Loaded query={record} lines={8}>
        {(known) => <EditKey known={known} reread={record.reread} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function fieldsOf(key: ApiKey) {
  return {
    name: key.name,
    scope: key.scope,
    user_id: key.user_id ?? '',
    actor_name: key.actor_name ?? '',
    expiry: 'keep' as const,
  };
}

interface EditKeyProps {
  known: KnownRecord<ApiKey>;
  reread: () => Promise<KnownRecord<ApiKey>>;
  onClose: () => void;
}

function EditKey({ known, reread, onClose }: EditKeyProps) {
  const { value: apiKey } = known;
  const timezone = useTimezone();
  const update = useApiWrite(updateApiKey, {
    refreshes: [listApiKeys, getApiKey],
    onSuccess: () => {
      showToast('Key changed.');
      onClose();
    },
  });
  const record = inFields({ known, reread }, fieldsOf);
  const form = useOperationForm(KeyForm, {
    defaults: record.values,
    record,
    send: ({ expiry, ...body }, ifMatch) => {
      const expiresAt = expiryInstant(expiry);
      const expires = expiresAt === undefined ? {} : { expires_at: expiresAt };
      return update.mutateAsync({ params: { id: apiKey.id }, body: { ...body, ...expires }, ifMatch });
    },
  });
  const lower = SCOPE_NAMES.slice(0, SCOPE_NAMES.indexOf(apiKey.scope) + 1).map((value) => ({
    value,
    label: SCOPES[value],
  }));
  const kept = apiKey.expires_at === null ? 'Never, as now' : `On ${dayInWords(apiKey.expires_at, timezone)}, as now`;
  return (
    <Form form={form} submit="Save" onCancel={onClose}>
      <TextField name="name" label="Name" autoFocus />
      {lower.length > 1 && (
        <Select
          name="scope"
          label="Access"
          hint="It can only be lowered. With Propose, the key becomes the key of an agent."
          options={lower}
        />
      )}
      <OwnerSelect />
      <TextField name="actor_name" label="Name in the history" optional />
      <ExpirySelect kept={kept} />
    </Form>
  );
}

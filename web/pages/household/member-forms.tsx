import { createUser, getUser, listUsers, updateUser } from '../../../src/features/users/users.contract.ts';
import { getSession } from '../../../src/features/auth/auth.contract.ts';
import { useApiRecord, useApiWrite, type KnownRecord } from '../../api/queries.ts';
import { RadioGroup } from '../../components/choice-fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inFields } from '../../components/stored-record.ts';
import { TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import type { Member } from './member-card.tsx';

const KINDS = [
  { value: 'member', label: 'Member', hint: 'Shares in the household’s money.' },
  { value: 'dependent', label: 'Dependent', hint: 'Spends other people’s money, such as a child with a card.' },
  {
    value: 'admin',
    label: 'Runs the household',
    hint: 'Only a description: what they can do depends on the role of their login.',
  },
];

function MemberFields() {
  return (
    <>
      <TextField name="name" label="Name" autoComplete="off" autoFocus />
      <RadioGroup name="kind" label="Kind" options={KINDS} />
      <TextField
        name="email"
        label="Email"
        optional
        type="email"
        autoComplete="off"
        hint="For your information only. Nothing is sent to it."
      />
    </>
  );
}

export function AddMemberDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title="Add a person" onClose={onClose}>
      <AddMember onClose={onClose} />
    </Dialog>
  );
}

function AddMember({ onClose }: { onClose: () => void }) {
  const create = useApiWrite(createUser, {
    refreshes: [listUsers],
    onSuccess: ({ name }) => {
      showToast(`${name} is now part of the household.`);
      onClose();
    },
  });
  const form = useOperationForm(createUser, {
    defaults: { name: '', kind: 'member', email: '' },
    send: (body) => create.mutateAsync({ body }),
  });
  return (
    <Form form={form} submit="Add" onCancel={onClose}>
      <MemberFields />
    </Form>
  );
}

export function EditMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const record = useApiRecord(getUser, { params: { id: member.id } });
  return (
    <Dialog open title={`Edit ${member.name}`} onClose={onClose}>
      <Loaded query={record} lines={6}>
        {(known) => <EditMember known={known} reread={record.reread} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

interface EditMemberProps {
  known: KnownRecord<Member>;
  reread: () => Promise<KnownRecord<Member>>;
  onClose: () => void;
}

function EditMember({ known, reread, onClose }: EditMemberProps) {
  const update = useApiWrite(updateUser, {
    refreshes: [listUsers, getSession, getUser],
    onSuccess: () => {
      showToast('Saved.');
      onClose();
    },
  });
  const record = inFields({ known, reread }, ({ name, kind, email }) => ({ name, kind, email: email ?? '' }));
  const form = useOperationForm(updateUser, {
    defaults: record.values,
    record,
    send: (body, ifMatch) => update.mutateAsync({ params: { id: known.value.id }, body, ifMatch }),
  });
  return (
    <Form form={form} submit="Save" onCancel={onClose}>
      <MemberFields />
    </Form>
  );
}

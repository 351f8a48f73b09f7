import { useRef, useState } from 'react';

import { listApiKeys } from '../../../src/features/api-keys/api-keys.contract.ts';
import { getSession } from '../../../src/features/auth/auth.contract.ts';
import {
  createLogin,
  deleteLogin,
  listLogins,
  regenerateSetupToken,
  updateLogin,
} from '../../../src/features/logins/logins.contract.ts';
import { useApiRecord, useApiWrite } from '../../api/queries.ts';
import { LinkAdvice } from '../../components/address-advice.tsx';
import { RadioGroup } from '../../components/choice-fields.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inFields, type ReadRecord } from '../../components/stored-record.ts';
import { TextField } from '../../components/text-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import { InvitationLink, type Link } from './invitation-link.tsx';
import { KeysThatEnd } from './keys-that-end.tsx';
import type { Login, LoginAction, Member } from './member-card.tsx';
import { ROLE_OPTIONS } from './roles.ts';

const REFRESHED = [listLogins, listApiKeys, getSession];

export function LoginDialog({ action, onClose }: { action: LoginAction; onClose: () => void }) {
  if (action.kind === 'invite') return <InviteDialog member={action.member} onClose={onClose} />;
  const { kind, ...about } = action;
  if (kind === 'role') return <RoleDialog {...about} onClose={onClose} />;
  if (kind === 'link') return <LinkDialog {...about} onClose={onClose} />;
  return <RemoveLoginDialog {...about} onClose={onClose} />;
}

interface LoginDialogProps {
  member: Member;
  login: Login;
  onClose: () => void;
}

/** Asks for address and role, then shows the link once. */
function InviteDialog({ member, onClose }: Omit<LoginDialogProps, 'login'>) {
  const [link, setLink] = useState<Link | null>(null);
  const create = useApiWrite(createLogin, { refreshes: REFRESHED, onSuccess: setLink });
  const form = useOperationForm(createLogin, {
    defaults: { identifier: member.email ?? '', role: 'viewer' },
    send: (body) => create.mutateAsync({ params: { user_id: member.id }, body }),
  });
  return (
    <Dialog open title={`Invite ${member.name}`} onClose={onClose}>
      {link === null ? (
        <Form form={form} submit="Make invitation link" onCancel={onClose}>
          <TextField
            name="identifier"
            label="Email address for signing in"
            type="email"
            autoComplete="off"
            autoFocus
            hint="Homeledger sends no email: you give them the link yourself."
          />
          <RadioGroup name="role" label="Role" options={ROLE_OPTIONS} />
          <LinkAdvice />
        </Form>
      ) : (
        <InvitationLink link={link} member={member} purpose="invitation" onDone={onClose} />
      )}
    </Dialog>
  );
}

function RoleDialog({ member, login, onClose }: LoginDialogProps) {
  const record = useApiRecord(listLogins, { params: { user_id: member.id } });
  return (
    <Dialog open title={`How ${member.name} signs in`} onClose={onClose}>
      <Loaded query={record} lines={6}>
        {(known) => (
          <RoleForm logins={{ known, reread: record.reread }} member={member} login={login} onClose={onClose} />
        )}
      </Loaded>
    </Dialog>
  );
}

function RoleForm({ logins, member, login, onClose }: LoginDialogProps & { logins: ReadRecord<readonly Login[]> }) {
  const update = useApiWrite(updateLogin, {
    refreshes: REFRESHED,
    onSuccess: () => {
      showToast(`${member.name} has a new role.`);
      onClose();
    },
  });
  const record = inFields(logins, (all) => {
    const { role, identifier } = all.find(({ id }) => id === login.id) ?? login;
    return { role, identifier };
  });
  const form = useOperationForm(updateLogin, {
    defaults: record.values,
    record,
    send: (body, ifMatch) => update.mutateAsync({ params: { user_id: member.id, login_id: login.id }, body, ifMatch }),
  });
  return (
    <Form form={form} submit="Save" onCancel={onClose}>
      <TextField name="identifier" label="Email address for signing in" type="email" autoComplete="off" />
      <RadioGroup name="role" label="Role" options={ROLE_OPTIONS} />
      <KeysThatEnd member={member} when="lowered" />
    </Form>
  );
}

function LinkDialog({ member, login, onClose }: LoginDialogProps) {
  const [link, setLink] = useState<Link | null>(null);
  /** What the confirmation made; closing it shows the link. */
  const made = useRef<Link | null>(null);
  const make = useApiWrite(regenerateSetupToken, { refreshes: [listLogins] });
  const purpose = login.has_password ? 'reset' : 'invitation';
  if (link !== null) {
    return (
      <Dialog open title={`A link for ${member.name}`} onClose={onClose}>
        <InvitationLink link={link} member={member} purpose={purpose} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      open
      destructive={false}
      title={purpose === 'reset' ? `Reset ${member.name}’s password?` : `Make a new link for ${member.name}?`}
      action="Make link"
      onConfirm={async () => {
        made.current = await make.mutateAsync({ params: { user_id: member.id, login_id: login.id } });
      }}
      onClose={() => (made.current === null ? onClose() : setLink(made.current))}
    >
      {purpose === 'reset'
        ? 'You get a link to pass on. It works for 24 hours; until it is used, the old password still works.'
        : 'You get a link to pass on. It works for 7 days; the previous link stops working.'}
    </ConfirmDialog>
  );
}

function RemoveLoginDialog({ member, login, onClose }: LoginDialogProps) {
  const remove = useApiWrite(deleteLogin, { refreshes: REFRESHED });
  return (
    <ConfirmDialog
      open
      title={`Remove ${member.name}’s login?`}
      action="Remove login"
      onConfirm={async () => {
        await remove.mutateAsync({ params: { user_id: member.id, login_id: login.id } });
        showToast(`${member.name} can no longer sign in.`);
      }}
      onClose={onClose}
    >
      <p>{member.name} is signed out everywhere and stays a member of the household.</p>
      <KeysThatEnd member={member} when="removed" />
    </ConfirmDialog>
  );
}

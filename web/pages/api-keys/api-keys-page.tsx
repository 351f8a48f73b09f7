import { KeyRound, Pencil, Plus, Trash2, Ellipsis } from 'lucide-react';
import { useState, type ReactNode } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { listApiKeys, type getApiKey } from '../../../src/features/api-keys/api-keys.contract.ts';
import { listUsers } from '../../../src/features/users/users.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Instant } from '../../components/instant.tsx';
import { Menu } from '../../components/menu.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { nowMs } from '../../lib/clock.ts';
import { CreateKeyDialog } from './create-key.tsx';
import { EditKeyDialog } from './edit-key.tsx';
import { SCOPES } from './key-fields.tsx';
import { KeySnippets } from './key-snippets.tsx';
import { RevokeKeyDialog } from './revoke-key.tsx';
import { WaitingDevices } from './waiting-devices.tsx';

export type ApiKey = OutputOf<typeof getApiKey>;
type Action = { kind: 'create' } | { kind: 'edit' | 'revoke'; apiKey: ApiKey };

/** The keys that scripts, devices and agents use, and the devices that ask for one. */
export default function ApiKeysPage() {
  const keys = useApiQuery(listApiKeys, {});
  const [action, setAction] = useState<Action | null>(null);
  const close = (): void => setAction(null);
  const create = (
    <Button look="primary" icon={Plus} onClick={() => setAction({ kind: 'create' })}>
      New key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        lead="An API key lets a script, device or agent use your data. Give each its own key, with no more access than it needs."
        actions={create}
      />
      <WaitingDevices />
      <Section title="Keys">
        <Loaded query={keys} lines={6}>
          {(list) => (
            <KeyTable
              list={list}
              create={create}
              onEdit={(apiKey) => setAction({ kind: 'edit', apiKey })}
              onRevoke={(apiKey) => setAction({ kind: 'revoke', apiKey })}
            />
          )}
        </Loaded>
      </Section>
      <Section title="Use a key" about="Put your key in place of YOUR_KEY.">
        <KeySnippets apiKey="YOUR_KEY" />
      </Section>
      <CreateKeyDialog open={action?.kind === 'create'} onClose={close} />
      {action?.kind === 'edit' && <EditKeyDialog apiKey={action.apiKey} onClose={close} />}
      {action?.kind === 'revoke' && <RevokeKeyDialog apiKey={action.apiKey} onClose={close} />}
    </>
  );
}

interface KeyTableProps {
  list: readonly ApiKey[];
  /** The button that makes one. */
  create: ReactNode;
  onEdit: (apiKey: ApiKey) => void;
  onRevoke: (apiKey: ApiKey) => void;
}

function KeyTable({ list, create, onEdit, onRevoke }: KeyTableProps) {
  const members = useApiQuery(listUsers, {});
  const nameOf = (id: string | null): string =>
    id === null ? 'Household' : (members.data?.find((one) => one.short_id === id)?.name ?? '…');
  const columns: Column<ApiKey>[] = [
    { title: 'Name', isRowHeader: true, cell: (key) => <KeyName apiKey={key} /> },
    { title: 'State', cell: (key) => <KeyState apiKey={key} /> },
    { title: 'Access', cell: (key) => SCOPES[key.scope] },
    { title: 'Belongs to', cell: (key) => <Person name={nameOf(key.user_id)} /> },
    { title: 'Shown in history as', cell: (key) => <Person name={writerOf(key, nameOf)} /> },
    { title: 'Last used', cell: (key) => <Instant at={key.last_used_at} /> },
    { title: 'Expires', cell: (key) => <Instant isPlanned at={key.expires_at} /> },
    {
      title: 'Actions',
      isActions: true,
      cell: (key) => isActive(key) && <KeyMenu apiKey={key} onEdit={onEdit} onRevoke={onRevoke} />,
    },
  ];
  return (
    <DataTable
      caption="API keys, newest first"
      columns={columns}
      rows={list}
      keyOf={(key) => key.id}
      empty={
        <EmptyState icon={KeyRound} title="No keys yet" action={create}>
          Keys for scripts, devices and agents will appear here.
        </EmptyState>
      }
    />
  );
}

function Person({ name }: { name: string }) {
  return <bdi className="wrap-anywhere">{name}</bdi>;
}

function KeyName({ apiKey }: { apiKey: ApiKey }) {
  return (
    <>
      <bdi>{apiKey.name}</bdi>
      <span className="block font-mono text-sm font-normal text-muted">{apiKey.prefix}…</span>
    </>
  );
}

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.revoked_at !== null) {
    return (
      <>
        <Status>Revoked</Status>{' '}
        <span className="text-sm text-muted">
          <Instant at={apiKey.revoked_at} />
        </span>
      </>
    );
  }
  return isActive(apiKey) ? <Status tone="success">Active</Status> : <Status>Expired</Status>;
}

function isActive({ revoked_at: revokedAt, expires_at: expiresAt }: ApiKey): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs());
}

/** Whom the history names for writes by this key. */
function writerOf(key: ApiKey, nameOf: (id: string | null) => string): string {
  const name = key.actor_name ?? (key.actor_type === 'user' && key.user_id !== null ? nameOf(key.user_id) : key.name);
  return key.actor_type === 'agent' ? `${name} (agent)` : name;
}

function KeyMenu({ apiKey, onEdit, onRevoke }: { apiKey: ApiKey } & Pick<KeyTableProps, 'onEdit' | 'onRevoke'>) {
  return (
    <Menu
      trigger={<IconButton icon={Ellipsis} label={`Actions for ${apiKey.name}`} />}
      items={[
        { label: 'Edit', icon: Pencil, onSelect: () => onEdit(apiKey) },
        { label: 'Revoke', icon: Trash2, destructive: true, onSelect: () => onRevoke(apiKey) },
      ]}
    />
  );
}

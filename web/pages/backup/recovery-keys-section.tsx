import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { Password } from '../../../src/features/auth/auth.contract.ts';
import { listRecoveryKeys, removeRecoveryKey } from '../../../src/features/recovery-keys/recovery-keys.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import {
  NewRecoveryKey,
  OwnPassword,
  OwnRecipient,
  type AddedKey,
} from '../../components/recovery/new-recovery-key.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { showToast } from '../../components/toast-store.ts';

type RecoveryKey = OutputOf<typeof listRecoveryKeys>[number];
type Action = { is: 'make' | 'add' } | { is: 'remove'; recoveryKey: RecoveryKey };

const ABOUT =
  'Encrypted backups can be opened by any one of these. Only the public half of each key is kept here, so the server cannot read its own backups.';

/** What backups are encrypted to: make, add, take away. */
export function RecoveryKeysSection({ onMade }: { onMade: (key: AddedKey) => void }) {
  const keys = useApiQuery(listRecoveryKeys, {});
  const [action, setAction] = useState<Action | null>(null);
  const close = (): void => setAction(null);
  return (
    <Section title="Recovery keys" about={ABOUT} actions={<Actions onAct={(is) => setAction({ is })} />}>
      <Loaded query={keys} lines={3}>
        {(list) => <KeyTable list={list} onRemove={(recoveryKey) => setAction({ is: 'remove', recoveryKey })} />}
      </Loaded>
      <Dialog open={action?.is === 'make'} title="Make a recovery key" onClose={close}>
        <p className="mb-4 text-muted">
          You will see it once, on a sheet to print. It is not stored, so no one can show it to you again.
        </p>
        <NewRecoveryKey onAdded={onMade} onCancel={close} />
      </Dialog>
      <Dialog open={action?.is === 'add'} title="Add an age key of your own" onClose={close}>
        <OwnRecipient
          onAdded={() => {
            close();
            showToast('Added. Backups from now on can be opened with it.');
          }}
          onCancel={close}
        />
      </Dialog>
      {action?.is === 'remove' && <RemoveKey recoveryKey={action.recoveryKey} onClose={close} />}
    </Section>
  );
}

function Actions({ onAct }: { onAct: (is: 'make' | 'add') => void }) {
  return (
    <>
      <Button icon={Plus} onClick={() => onAct('make')}>
        Make a key
      </Button>
      <Button look="quiet" icon={KeyRound} onClick={() => onAct('add')}>
        Add your own
      </Button>
    </>
  );
}

function KeyTable({ list, onRemove }: { list: readonly RecoveryKey[]; onRemove: (key: RecoveryKey) => void }) {
  const columns: Column<RecoveryKey>[] = [
    {
      title: 'Key',
      isRowHeader: true,
      cell: (one) => (
        <>
          <code className="block font-mono text-sm font-normal break-all">{one.recipient}</code>
          <span className="block text-sm font-normal text-muted">
            {one.own ? 'Your own' : 'Made here'}, added <Instant at={one.added_at} /> by{' '}
            <bdi className="wrap-anywhere">{one.added_by.name}</bdi>
          </span>
        </>
      ),
    },
    {
      title: 'Actions',
      isActions: true,
      cell: (one) => (
        <Button
          className="whitespace-nowrap"
          aria-label={`Take away the key ${one.recipient.slice(0, 12)}…`}
          onClick={() => onRemove(one)}
        >
          Take away
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      caption="Recovery keys, oldest first"
      columns={columns}
      rows={list}
      keyOf={(one) => one.recipient}
      empty={<WithoutKey />}
    />
  );
}

function WithoutKey() {
  return (
    <Banner tone="warning" isPlain title="There is no recovery key yet">
      <p>
        Without one, backups are not encrypted: whoever has the file can read your ledger. They also leave out the key
        to your bank logins, so every bank has to be connected again.
      </p>
    </Banner>
  );
}

const REMOVAL = { body: z.object({ password: Password }) };

function RemoveKey({ recoveryKey: { recipient }, onClose }: { recoveryKey: RecoveryKey; onClose: () => void }) {
  const remove = useApiWrite(removeRecoveryKey, { refreshes: [listRecoveryKeys], onSuccess: onClose });
  const form = useOperationForm(REMOVAL, {
    defaults: { password: '' },
    send: ({ password }) => remove.mutateAsync({ body: { password, recipient } }),
    forgets: ['password'],
  });
  return (
    <Dialog open title="Take this key away?" onClose={onClose}>
      <div className="mb-4 space-y-2 text-muted">
        <p>
          It will not open backups made from now on. It still opens older ones: if someone may have seen it, also make a
          new key, delete the old backups, and run <code className="font-mono">homeledger keys rotate-encryption</code>{' '}
          on the server.
        </p>
        <p className="font-mono text-sm break-all">{recipient}</p>
      </div>
      <Form form={form} submit="Take away" onCancel={onClose}>
        <OwnPassword />
      </Form>
    </Dialog>
  );
}

import { Ellipsis, KeyRound, Pause, Play, RefreshCw, RotateCcw, Unplug } from 'lucide-react';
import { useState } from 'react';

import { pauseConnection } from '../../../src/features/connections/connections.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Menu } from '../../components/menu.tsx';
import { useSyncNow } from './connection-table.tsx';
import { bankName, reasonAgainstSync, type ConnectionState } from './connection-words.ts';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import { AFTER_SYNC } from './running-syncs.ts';
import type { Renewal } from './sign-in-at-bank.tsx';

interface ConnectionActionsProps {
  connection: ConnectionState;
  isRunning: boolean;
  renewal: Renewal;
}

/** What can be done with a connection. One that is disconnected offers nothing. */
export function ConnectionActions({ connection, isRunning, renewal }: ConnectionActionsProps) {
  const right = useReasonAgainst('full_access');
  const sync = useSyncNow();
  const pause = useApiWrite(pauseConnection, { refreshes: AFTER_SYNC });
  const [asking, ask] = useState<'full' | 'disconnect' | null>(null);
  const { id, paused, status, provider } = connection;
  if (status === 'disconnected') return null;
  const params = { id };
  const disconnect = { label: 'Disconnect', icon: Unplug, destructive: true, disabledReason: right };
  const ofBank = [
    {
      label: paused ? 'Resume' : 'Pause',
      icon: paused ? Play : Pause,
      disabledReason: right,
      onSelect: () => pause.mutate({ params, body: { paused: !paused } }),
    },
    { label: 'Sign in again', icon: KeyRound, disabledReason: right, onSelect: renewal.begin },
    { label: 'Read everything again', icon: RotateCcw, disabledReason: right, onSelect: () => ask('full') },
  ];
  return (
    <>
      {provider !== 'csv' && (
        <Button
          look="primary"
          icon={RefreshCw}
          busy={isRunning || sync.isPending}
          disabledReason={right ?? reasonAgainstSync(connection)}
          onClick={() => sync.mutate({ params, body: {} })}
        >
          {isRunning ? 'Syncing…' : 'Sync now'}
        </Button>
      )}
      <Menu
        trigger={<IconButton icon={Ellipsis} look="secondary" label="More actions" />}
        items={[...(provider === 'csv' ? [] : ofBank), { ...disconnect, onSelect: () => ask('disconnect') }]}
      />
      <ConfirmDialog
        open={asking === 'full'}
        title={`Read everything from ${bankName(connection)} again?`}
        action="Read everything"
        destructive={false}
        onConfirm={() => sync.mutateAsync({ params, body: { full: true } })}
        onClose={() => ask(null)}
      >
        Everything the bank still has is fetched again. Nothing is duplicated, and your changes are kept. This can take
        a few minutes.
      </ConfirmDialog>
      {asking === 'disconnect' && <DisconnectDialog connection={connection} onClose={() => ask(null)} />}
    </>
  );
}

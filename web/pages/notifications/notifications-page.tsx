import { BellRing, Plus } from 'lucide-react';
import { useRef, useState } from 'react';

import {
  deleteNotificationChannel,
  listNotificationChannels,
  rotateNotificationSecret,
} from '../../../src/features/notifications/notification-channels.contract.ts';
import { listNotificationDeliveries } from '../../../src/features/notifications/notifications.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { ChannelTable } from './channel-table.tsx';
import { CreateChannelDialog, EditChannelDialog } from './channel-form.tsx';
import { Deliveries } from './deliveries.tsx';
import { NewSecret } from './new-secret.tsx';
import { NotificationSettingsSection } from './notification-settings.tsx';
import type { Channel } from './notification-words.ts';

export type ChannelAction = { kind: 'edit' | 'rotate' | 'delete'; channel: Channel };

/** Channels for notifications, and the outcome of each message. */
export default function NotificationsPage() {
  const channels = useApiQuery(listNotificationChannels, {}, { refetchInterval: 10_000 });
  const [isCreating, create] = useState(false);
  const [action, setAction] = useState<ChannelAction | null>(null);
  const close = (): void => setAction(null);
  return (
    <>
      <PageHeader
        title="Notifications"
        lead="Messages to your phone or your own programs, for example when a bank wants a new login."
        actions={
          <Button look="primary" icon={Plus} onClick={() => create(true)}>
            New channel
          </Button>
        }
      />
      <Section title="Channels">
        <Loaded query={channels} lines={4}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState icon={BellRing} title="No channels yet">
                A channel sends messages to one address. Until there is one, no message is sent.
              </EmptyState>
            ) : (
              <ChannelTable list={list} onAction={setAction} />
            )
          }
        </Loaded>
      </Section>
      <Deliveries channels={channels.data ?? []} />
      <NotificationSettingsSection />
      <CreateChannelDialog open={isCreating} onClose={() => create(false)} />
      {action?.kind === 'edit' && <EditChannelDialog channel={action.channel} onClose={close} />}
      {action?.kind === 'rotate' && <RotateDialog channel={action.channel} onClose={close} />}
      {action?.kind === 'delete' && <DeleteDialog channel={action.channel} onClose={close} />}
    </>
  );
}

interface ChannelDialogProps {
  channel: Channel;
  onClose: () => void;
}

function DeleteDialog({ channel, onClose }: ChannelDialogProps) {
  const refreshes = [listNotificationChannels, listNotificationDeliveries];
  const remove = useApiWrite(deleteNotificationChannel, { refreshes });
  return (
    <ConfirmDialog
      open
      title={`Delete ${channel.name}?`}
      action="Delete"
      onConfirm={() => remove.mutateAsync({ params: { id: channel.id } })}
      onClose={onClose}
    >
      <p>Undelivered messages are cancelled. Nothing else changes.</p>
    </ConfirmDialog>
  );
}

/** Asks first: the receiver refuses everything until it has the new secret. */
function RotateDialog({ channel, onClose }: ChannelDialogProps) {
  const [secret, setSecret] = useState<string | null>();
  const isDone = useRef(false);
  const rotate = useApiWrite(rotateNotificationSecret, {
    refreshes: [listNotificationChannels],
    onSuccess: (answer) => {
      isDone.current = true;
      setSecret(answer.secret);
    },
  });
  if (secret !== undefined) {
    return (
      <Dialog open title={`The new secret of ${channel.name}`} onClose={() => undefined}>
        <NewSecret secret={secret} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      open
      title={`Replace the signing secret of ${channel.name}?`}
      action="Replace it"
      onConfirm={async () => rotate.mutateAsync({ params: { id: channel.id } })}
      // Confirming shows the secret in this dialog's place.
      onClose={() => (isDone.current ? undefined : onClose())}
    >
      <p>The old secret stops working at once. A receiver that checks signatures needs the new one.</p>
    </ConfirmDialog>
  );
}

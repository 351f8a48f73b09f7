import type { OutputOf } from '../../../src/contract/operation.ts';
import type { getNotificationChannel } from '../../../src/features/notifications/notification-channels.contract.ts';
import type { listNotificationDeliveries } from '../../../src/features/notifications/notifications.contract.ts';
import type { StatusTone } from '../../components/status.tsx';

export type Channel = OutputOf<typeof getNotificationChannel>;
export type Delivery = OutputOf<typeof listNotificationDeliveries>[number];

export const FORMATS: Readonly<Record<Channel['format'], string>> = {
  webhook: 'Webhook',
  ntfy: 'ntfy',
  gotify: 'Gotify',
};

/** In the words of a household. */
export const EVENTS: Readonly<Record<Delivery['event'], string>> = {
  'report.created': 'A report arrived',
  'sync.failed': 'A bank stopped syncing',
  'sync.recovered': 'A bank syncs again',
  'connection.reauth_required': 'A bank wants a new login',
  'connection.consent_expiring': 'A permission ends soon',
  'workflow.failed': 'A workflow failed',
  'proposal.created': 'An agent proposes a change',
  'transactions.flagged': 'Rules flagged transactions',
  'backup.failed': 'A backup failed',
  test: 'Test message',
};

export const FLOORS: Readonly<Record<Channel['min_priority'], string>> = {
  info: 'Everything',
  warning: 'Warnings and critical messages',
  critical: 'Only critical messages',
};

export const STATES: Readonly<Record<Delivery['status'], { tone: StatusTone; word: string }>> = {
  pending: { tone: 'info', word: 'Waiting' },
  delivered: { tone: 'success', word: 'Delivered' },
  failed: { tone: 'danger', word: 'Failed' },
  cancelled: { tone: 'neutral', word: 'Cancelled' },
};

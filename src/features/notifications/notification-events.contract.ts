/** Vocabulary of notifications (contract 50.4.1). */

export const FORMATS = ['webhook', 'ntfy', 'gotify'] as const;
export type Format = (typeof FORMATS)[number];

/** Ascending. */
export const PRIORITIES = ['info', 'warning', 'critical'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** What a channel can be told of. */
export const EVENTS = [
  'report.created',
  'sync.failed',
  'sync.recovered',
  'connection.reauth_required',
  'connection.consent_expiring',
  'workflow.failed',
  'proposal.created',
  'transactions.flagged',
  'backup.failed',
] as const;
export type NotificationEvent = (typeof EVENTS)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;

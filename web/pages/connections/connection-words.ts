import type { OutputOf } from '../../../src/contract/operation.ts';
import type { getConnection, getConnectionStatus } from '../../../src/features/connections/connections.contract.ts';
import type { StatusTone } from '../../components/status.tsx';

export type Connection = OutputOf<typeof getConnection>;
export type ConnectionState = OutputOf<typeof getConnectionStatus>;

export const PROVIDER_NAMES = { plaid: 'Plaid', teller: 'Teller', csv: 'Bank files' } as const;

export function bankName({
  institution_name: name,
  provider,
}: Pick<Connection, 'institution_name' | 'provider'>): string {
  return name ?? `A bank (${PROVIDER_NAMES[provider]})`;
}

interface InWords {
  tone: StatusTone;
  word: string;
  /** What it means and what to do; null where all is well. */
  advice: string | null;
}

/** How a connection is, in words, and what to do about it. */
export function stateOf(connection: Connection): InWords {
  const { status, paused, provider, error_message: message } = connection;
  if (status === 'disconnected') {
    return { tone: 'neutral', word: 'Disconnected', advice: 'Its history is kept. Add the bank again to continue it.' };
  }
  if (provider === 'csv') return { tone: 'neutral', word: 'By file', advice: null };
  if (status === 'pending_reauth') {
    return { tone: 'danger', word: 'Sign in again', advice: message ?? 'The bank wants you to sign in again.' };
  }
  if (status === 'error') return { tone: 'danger', word: 'Not syncing', advice: message };
  if (paused) return { tone: 'neutral', word: 'Paused', advice: 'It does not sync automatically until you resume it.' };
  if (message !== null) return { tone: 'neutral', word: 'Had trouble', advice: message };
  return { tone: 'success', word: 'Up to date', advice: null };
}

/** Whether a sync can be asked for. */
export function reasonAgainstSync({ status, provider }: Connection): string | undefined {
  if (status === 'disconnected') return 'The connection is disconnected.';
  return provider === 'csv' ? 'Bank files are imported, not synced.' : undefined;
}

export function intervalInWords(seconds: number | null): string {
  if (seconds === null) return 'As set for all connections';
  const [count, unit] = seconds % 3_600 === 0 ? [seconds / 3_600, 'hour'] : [Math.round(seconds / 60), 'minute'];
  return count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`;
}

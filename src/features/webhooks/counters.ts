import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { DAY_MS, instantAfter } from '../../kernel/dates.ts';

export type RejectionReason = 'signature' | 'clock';

/** What /sync/health says of a provider's webhooks (contract 30.12). */
export interface WebhookHealth {
  last_received_at: string | null;
  /** Of the last 24 hours. */
  rejected_count: number;
  last_rejected_at: string | null;
  last_rejected_reason: RejectionReason | null;
}

const PROVIDERS = ['plaid', 'teller'] as const;
/** Length of `2026-03-02T06`. */
const HOUR_CHARS = 13;

type Hours = Record<string, number>;

export async function webhookHealth(
  tx: ReadTx,
  now: string,
): Promise<Record<(typeof PROVIDERS)[number], WebhookHealth>> {
  const rows = await tx.q.selectFrom('webhook_counters').selectAll().execute();
  const of = (provider: string): WebhookHealth => {
    const row = rows.find((one) => one.provider === provider);
    const counts = Object.values(recentHours(row?.rejected_by_hour, now));
    return {
      last_received_at: row?.last_received_at ?? null,
      rejected_count: counts.reduce((sum, count) => sum + count, 0),
      last_rejected_at: row?.last_rejected_at ?? null,
      last_rejected_reason: (row?.last_rejected_reason as RejectionReason | null | undefined) ?? null,
    };
  };
  return { plaid: of('plaid'), teller: of('teller') };
}

export async function noteReceived(tx: BareWriteTx, provider: string): Promise<void> {
  await store(tx, provider, { last_received_at: tx.now });
}

/** Rejections since the last write. */
export interface Rejections {
  count: number;
  at: string;
  reason: RejectionReason;
}

export async function noteRejected(
  tx: BareWriteTx,
  provider: string,
  { count, at, reason }: Rejections,
): Promise<void> {
  const row = await tx.q
    .selectFrom('webhook_counters')
    .select('rejected_by_hour')
    .where('provider', '=', provider)
    .executeTakeFirst();
  const hours = recentHours(row?.rejected_by_hour, tx.now);
  const hour = at.slice(0, HOUR_CHARS);
  hours[hour] = (hours[hour] ?? 0) + count;
  await store(tx, provider, {
    last_rejected_at: at,
    last_rejected_reason: reason,
    rejected_by_hour: JSON.stringify(hours),
  });
}

async function store(
  tx: BareWriteTx,
  provider: string,
  columns: Partial<{
    last_received_at: string;
    last_rejected_at: string;
    last_rejected_reason: string;
    rejected_by_hour: string;
  }>,
): Promise<void> {
  await tx.q
    .insertInto('webhook_counters')
    .values({
      provider,
      last_received_at: null,
      last_rejected_at: null,
      last_rejected_reason: null,
      rejected_by_hour: '{}',
      ...columns,
    })
    .onConflict((conflict) => conflict.column('provider').doUpdateSet(columns))
    .execute();
}

/** The counts of the last 24 hours; the hour in which they began counts fully. */
function recentHours(json: string | undefined, now: string): Hours {
  const oldest = instantAfter(now, -DAY_MS).slice(0, HOUR_CHARS);
  const hours = JSON.parse(json ?? '{}') as Hours;
  return Object.fromEntries(Object.entries(hours).filter(([hour]) => hour >= oldest));
}

import type { EntityType } from '../../src/journal/entities.ts';
import type { WriteTx } from '../../src/journal/write.ts';
import type { DateOnly, Instant } from '../../src/kernel/dates.ts';

/** When a household's rows of a day came in: early enough to be past wherever the demo runs. */
export function morningOf(date: DateOnly): Instant {
  return `${date}T06:00:00.000Z`;
}

/** Journals that a row was made. A demo is thrown away, not undone. */
export function recordCreation<R extends { id: string; short_id: string }>(
  tx: WriteTx,
  entityType: EntityType,
  record: R,
  transactionId?: string,
): void {
  tx.journal.record({
    entityType,
    entityId: record.id,
    entityShortId: record.short_id,
    operation: 'create',
    before: null,
    after: { ...record },
    ...(transactionId === undefined ? {} : { transactionId }),
    revertible: false,
  });
}

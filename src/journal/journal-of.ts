import type { EntityType } from './entities.ts';
import type { Change, WriteTx } from './write.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The ids of an entity, as its row has them. Settings have none. */
export interface Identified {
  id: string | null;
  short_id: string | null;
}

/** What a change may say besides its fields. A change is revertible unless it says otherwise. */
export type ChangeOptions = Partial<
  Pick<Change, 'internal' | 'transactionId' | 'source' | 'ruleId' | 'appliedBy' | 'revertible'>
>;

/** Records the changes of one type of entity. `defineEntity` does it by itself; this is for what writes in bulk. */
export interface EntityJournal {
  created(tx: WriteTx, entity: Identified, after: Fields, options?: ChangeOptions): void;
  /** `before` and `after` hold the fields that changed; a field on one side only did not exist on the other. */
  changed(tx: WriteTx, entity: Identified, fields: { before: Fields; after: Fields }, options?: ChangeOptions): void;
  removed(tx: WriteTx, entity: Identified, before: Fields, options?: ChangeOptions): void;
}

export function journalOf(entityType: EntityType): EntityJournal {
  const record = (
    tx: WriteTx,
    { id, short_id }: Identified,
    change: Pick<Change, 'operation' | 'before' | 'after'>,
    { internal, ...options }: ChangeOptions = {},
  ): void => {
    tx.journal.record({
      entityType,
      entityId: id,
      entityShortId: short_id,
      ...change,
      ...(internal === undefined || Object.keys(internal).length === 0 ? {} : { internal }),
      ...(entityType === 'transaction' && id !== null ? { transactionId: id } : {}),
      revertible: true,
      ...options,
    });
  };
  return {
    created: (tx, entity, after, options) => record(tx, entity, { operation: 'create', before: null, after }, options),
    changed: (tx, entity, fields, options) => record(tx, entity, { operation: 'update', ...fields }, options),
    removed: (tx, entity, before, options) => record(tx, entity, { operation: 'delete', before, after: null }, options),
  };
}

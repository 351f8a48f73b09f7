import { parseInstant } from '../../kernel/dates.ts';
import { invalidParameter, notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { listAnnotations as operation } from './annotations.contract.ts';
import { findOrigin } from './annotations.queries.ts';
import { timelineOf, type AnnotationRecord } from './timeline.ts';

export const listAnnotations = handleRead(operation, async ({ tx }, { params, query }) => {
  const origin = await findOrigin(tx, params.id);
  if (!origin || (origin.deleted_at !== null && !query.include_deleted)) throw notFound('transaction');
  const { kind: kinds, actor_type: actorTypes, source: sources, after, limit } = query;
  const all = await timelineOf(tx, origin);
  const later = after === undefined ? all : entriesAfter(all, after);
  const found = later.filter(
    (entry) =>
      (!kinds || kinds.includes(entry.kind)) &&
      (!actorTypes || actorTypes.includes(entry.actor_type)) &&
      (!sources || sources.includes(entry.source)),
  );
  if (limit === undefined) return found;
  return after === undefined ? found.slice(-limit) : found.slice(0, limit);
});

/** @throws INVALID_PARAMETER for what is neither an instant nor an entry of this timeline. */
function entriesAfter(all: readonly AnnotationRecord[], after: string): AnnotationRecord[] {
  const index = all.findIndex(({ id, short_id: shortId }) => id === after || shortId === after);
  if (index >= 0) return all.slice(index + 1);
  const instant = parseInstant(after);
  if (instant === undefined) {
    throw invalidParameter('after', 'after: must be an instant or the id of an entry of this timeline');
  }
  return all.filter((entry) => entry.created_at > instant);
}

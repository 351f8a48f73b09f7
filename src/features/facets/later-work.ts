import type { Obstacle } from '../../journal/undo.ts';
import { fieldOfLock } from './facet-facts.ts';

/** What became of a row since a set brought it into the ledger, as far as it matters to taking the row out. */
export interface LaterWork {
  /** Facets that people or agents decided, by their locks. */
  decided: readonly string[];
  isCommented: boolean;
  /** Whether a later import changed the row. */
  isRedelivered: boolean;
}

/**
 * What stands in the way of taking the row out (contract 10.13.3). A forced revert overrules the work of people, which
 * stays on the deleted row; a later import is another file's word, and taken back by itself.
 */
export function obstacleOf(later: LaterWork, isForced: boolean): Obstacle | null {
  const work = workOn(later);
  if (later.isRedelivered && (isForced || !work)) {
    const message = 'A later import changed it. Take that import back first.';
    return { reason: 'changed_since', fields: [], message, ...(work ? { work: 'kept' } : {}) };
  }
  return work && { ...work, work: isForced ? 'overruled' : 'kept' };
}

function workOn({ decided, isCommented }: LaterWork): Obstacle | null {
  const fields = decided.map(fieldOfLock);
  if (fields.length > 0) {
    return { reason: 'changed_since', fields, message: `Decided by hand since: ${fields.join(', ')}.` };
  }
  if (!isCommented) return null;
  return { reason: 'changed_since', fields: ['comment'], message: 'Somebody commented on it since.' };
}

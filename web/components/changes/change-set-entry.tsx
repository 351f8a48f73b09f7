import type { ReactNode } from 'react';

import { inDigits } from '../../lib/numbers.ts';
import { PageLink } from '../../lib/page-link.tsx';
import { AmountsInText } from '../money.tsx';
import { countsOfSet, sizeOf, SOURCE_WORDS, SURFACE_WORDS, type ChangeSet } from './change-set-words.ts';
import { Undone } from './undone.tsx';
import { useUndo } from './use-undo.tsx';

/** What most changes are, and what their summary says by itself. */
const PLAIN: ReadonlySet<ChangeSet['source']> = new Set(['edit', 'system']);

interface ChangeSetEntryProps {
  set: ChangeSet;
  /** When it was, in the words of the list. */
  when: ReactNode;
  /** Through what, and how many: for lists with room. */
  isLong?: boolean;
}

/** One change set in a list: what was done, by whom and when, whether it was undone, and the way back. */
export function ChangeSetEntry({ set, when, isLong = false }: ChangeSetEntryProps) {
  const { button, panel } = useUndo(set);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-48 flex-1">
          <p className="font-medium wrap-anywhere">
            <PageLink to="/history/{id}" params={{ id: set.short_id }} className="hover:underline">
              <AmountsInText text={set.summary} />
            </PageLink>
          </p>
          <p className="text-sm text-muted wrap-anywhere">
            <bdi>{set.actor_name}</bdi> · {when}
            {isLong && ` · ${SURFACE_WORDS[set.surface]}`}
            {isLong && !PLAIN.has(set.source) && ` · ${SOURCE_WORDS[set.source]}`}
            {isLong && sizeOf(set) > 1 && ` · ${countsOfSet(set)}`}
          </p>
          {isLong && set.reason !== null && (
            <p className="text-sm text-muted wrap-anywhere">
              <q>{set.reason}</q>
            </p>
          )}
        </div>
        <Undone status={set.status} />
        {button}
      </div>
      {panel}
    </>
  );
}

/** "41 new, 3 changed": what a bank brought. */
export function countsOfSync(sets: readonly ChangeSet[]): string {
  const sum = (field: 'created_count' | 'updated_count'): number => sets.reduce((total, set) => total + set[field], 0);
  return `${inDigits(sum('created_count'))} new, ${inDigits(sum('updated_count'))} changed`;
}

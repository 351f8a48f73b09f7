import { lazy, Suspense, useCallback } from 'react';

import { refresh } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { useStore } from '../../lib/store.ts';
import { corrected, editedFields, outcome } from './edits.ts';
import { dependsOn, type View } from './filters.ts';

// Needed after the first correction.
const AlwaysFile = lazy(async () => ({
  default: (await import('../../components/transaction/always-file.tsx')).AlwaysFile,
}));

/** Whether what was typed is saved, said to those who do not see the row. */
export function EditOutcome() {
  const { text, isFailure } = useStore(outcome);
  return (
    <>
      <p role="status" aria-label="Saving" className="sr-only">
        {isFailure ? '' : text}
      </p>
      <p role="alert" className="sr-only">
        {isFailure ? text : ''}
      </p>
    </>
  );
}

/**
 * What an edit leaves to do, in one line that stays at the foot of the screen: below the row it would move those that are
 * edited next.
 */
export function AfterEdit({ view }: { view: View }) {
  const row = useStore(corrected);
  const fields = useStore(editedFields);
  const end = useCallback(() => corrected.set(null), []);
  const isOld = [...fields].some((field) => dependsOn(view.filters, field));
  const category = row?.category;
  if (!isOld && !category) return null;
  return (
    <div className="sticky bottom-4 z-9 mt-4 flex flex-wrap items-center gap-x-6 gap-y-2 rounded-card border border-line bg-surface px-4 py-2 text-sm shadow-lg max-lg:bottom-20 print:hidden">
      {category && (
        <Suspense>
          <AlwaysFile key={`${row.id} ${category.id}`} transaction={row} category={category} onEnd={end} />
        </Suspense>
      )}
      {isOld && (
        <p className="ml-auto flex items-center gap-3 text-muted">
          Rows stay as they were found.
          <Button
            onClick={() => {
              editedFields.set(new Set());
              void refresh();
            }}
          >
            Update the list
          </Button>
        </p>
      )}
    </div>
  );
}

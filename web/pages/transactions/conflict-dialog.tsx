import type { ReactNode } from 'react';

import { useCategories } from '../../api/lists.ts';
import { Button } from '../../components/button.tsx';
import { DefinitionList } from '../../components/definition-list.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CategoryChip } from '../../components/transaction/category-chip.tsx';
import { nameOf, type TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { useStore } from '../../lib/store.ts';
import { conflict, overwrite, type Conflict } from './edits.ts';

const FIELDS: Readonly<Record<string, string>> = { category: 'Category', counterparty: 'Counterparty', flag: 'Flag' };

/** A field that somebody else has changed meanwhile: both values, and the person chooses. */
export function ConflictDialog() {
  const met = useStore(conflict);
  return (
    <Dialog
      open={met !== null}
      title={met ? `${nameOf(met.row)} was changed meanwhile` : ''}
      onClose={() => conflict.set(null)}
    >
      {met && <Choice met={met} />}
    </Dialog>
  );
}

function Choice({ met }: { met: Conflict }) {
  const { row, edit } = met;
  const field = FIELDS[edit.field] ?? '';
  const mine = { ...row, ...edit.shown };
  return (
    <>
      <p className="mb-4 text-muted">
        {field} was changed elsewhere after this page had read it. Nothing was overwritten.
      </p>
      <DefinitionList
        items={[
          { term: 'Now', value: <Value row={row} field={edit.field} /> },
          { term: 'Yours', value: <Value row={mine} field={edit.field} /> },
        ]}
      />
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button data-autofocus onClick={() => conflict.set(null)}>
          Keep what is there now
        </Button>
        <Button look="primary" onClick={() => void overwrite(met)}>
          Use yours
        </Button>
      </div>
    </>
  );
}

function Value({ row, field }: { row: TransactionRecord; field: string }): ReactNode {
  const all = useCategories();
  if (field === 'category') {
    const category = row.category_id == null ? null : (all?.get(row.category_id) ?? row.category ?? null);
    return <CategoryChip category={category} />;
  }
  if (field === 'counterparty') return row.counterparty_id === null ? 'None' : nameOf(row);
  return row.flagged_at === null ? 'Not flagged' : 'Flagged';
}

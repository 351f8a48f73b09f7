import { Lock, RotateCcw } from 'lucide-react';

import { useCategories } from '../../api/lists.ts';
import type { Category } from '../../lib/category-color.ts';
import { Button } from '../button.tsx';
import type { PickerProps } from '../pickers/combobox.tsx';
import { CategoryPicker } from '../pickers/later-pickers.tsx';
import { CategoryChip } from './category-chip.tsx';
import { ChoiceField } from './choice-field.tsx';
import { useLikelyCategories } from './likely-categories.ts';
import type { TransactionRecord } from './transaction-row.tsx';
import type { Edit, Editing } from './use-transaction-edit.ts';
import { WhyCategory, type Decision } from './who-decided.tsx';

interface CategoryFieldProps {
  editing: Editing;
  reason: string | undefined;
  decision: Decision | undefined;
}

/** The category, who decided it, whether rules leave it alone, and the way back to letting them decide. */
export function CategoryField({ editing, reason, decision }: CategoryFieldProps) {
  const { record, edit } = editing;
  const all = useCategories();
  const isLocked = record.category_source === 'person' || record.category_source === 'agent';
  return (
    <ChoiceField
      title="Category"
      editing={editing}
      reason={reason}
      valueOf={({ category_id: id }) => id}
      nameOf={(id) => (id === null ? 'No category' : (all?.get(id)?.name ?? 'A new category'))}
      changes={(id) => ({ category_id: id })}
      shown={(before, id) => categorised(before, id, all)}
      renderPicker={(props) => <LikelyCategoryPicker record={record} {...props} />}
      isDecidedAnew={!isLocked}
      note={<WhyCategory record={record} decision={decision} />}
      aside={
        isLocked && (
          <Button look="quiet" icon={RotateCcw} disabledReason={reason} onClick={() => edit(RESET)}>
            Reset
          </Button>
        )
      }
    >
      <CategoryChip category={record.category ?? null} none={isLocked ? 'No category' : 'Not categorised'} />
      {isLocked && (
        <span title="Locked: rules do not change it" className="text-muted">
          <Lock aria-hidden size={14} />
          <span className="sr-only">, locked: rules do not change it</span>
        </span>
      )}
    </ChoiceField>
  );
}

/** What it will be, only the server knows. */
const RESET: Edit = {
  field: 'category',
  changes: { reset_category: true },
  shown: (before) => before,
  valueOf: ({ category_id: id, category_source: source }) => [id, source],
  words: 'The category is decided automatically again.',
};

function categorised(
  before: TransactionRecord,
  id: string | null,
  all: ReadonlyMap<string, Category> | undefined,
): TransactionRecord {
  const { short_id = '', slug = '', name = '', parent_id = null, kind = 'expense' } = all?.get(id ?? '') ?? {};
  const category = id === null ? null : { id, short_id, slug, name, parent_id, kind };
  return { ...before, category_id: id, category, category_source: 'person' };
}

function LikelyCategoryPicker({ record, ...props }: { record: TransactionRecord } & PickerProps<string | null>) {
  const isIn = record.amount?.startsWith('-') === true;
  return <CategoryPicker {...props} likely={useLikelyCategories(record)} newKind={isIn ? 'income' : 'expense'} />;
}

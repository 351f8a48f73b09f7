import { Lock, RotateCcw } from 'lucide-react';
import { lazy, Suspense, useCallback, useState } from 'react';

import { useCategories } from '../../api/lists.ts';
import type { Category } from '../../lib/category-color.ts';
import { LINK } from '../../lib/page-link.tsx';
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
  const [isRuleWanted, wantRule] = useState(false);
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
      onChoose={(id) => wantRule(id !== null)}
      note={
        <>
          <WhyCategory record={record} decision={decision} />
          <RuleOfIt
            record={record}
            decision={decision}
            isWanted={isRuleWanted && reason === undefined}
            want={wantRule}
          />
        </>
      }
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

interface RuleOfItProps {
  record: TransactionRecord;
  decision: Decision | undefined;
  isWanted: boolean;
  want: (isWanted: boolean) => void;
}

/** After a correction, and on demand: the rule that files rows like this one in the same way. */
function RuleOfIt({ record, decision, isWanted, want }: RuleOfItProps) {
  const { category } = record;
  const end = useCallback(() => want(false), [want]);
  // Counted once it is saved, so that this row is not among the others.
  if (!category || decision?.source === 'rule' || decision?.value !== category.slug) return null;
  if (!isWanted) {
    return (
      <button type="button" className={`${LINK} ml-1`} onClick={() => want(true)}>
        Make a rule of it
      </button>
    );
  }
  return (
    <Suspense fallback={null}>
      <AlwaysFile transaction={record} category={category} onEnd={end} />
    </Suspense>
  );
}

const AlwaysFile = lazy(async () => ({ default: (await import('./always-file.tsx')).AlwaysFile }));

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

import { useState } from 'react';

import { mergeCategory } from '../../../src/features/categories/categories.contract.ts';
import { useCategories } from '../../api/lists.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { CategoryPicker } from '../../components/pickers/category-picker.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import type { Category } from '../../lib/category-color.ts';
import { counted, listed } from '../../lib/numbers.ts';

interface MergeCategoryProps {
  category: Category;
  onClose: () => void;
}

/** Chooses the other category, shows what would move there, and moves it. */
export function MergeCategory({ category, onClose }: MergeCategoryProps) {
  const [target, choose] = useState<string | null>(null);
  const chosen = useCategories()?.get(target ?? '');
  if (!chosen) {
    return (
      <>
        <p className="mb-3 text-muted">Everything that has this category gets the other one.</p>
        <CategoryPicker
          label={`Merge ${category.name} into`}
          value={null}
          allowsNone={false}
          allowsNew={false}
          autoFocus
          className="block"
          onPick={(id) => choose(id === category.id ? null : id)}
          onCancel={(via) => via === 'escape' && onClose()}
        />
      </>
    );
  }
  return <Plan from={category} into={chosen} onBack={() => choose(null)} onClose={onClose} />;
}

interface PlanProps {
  from: Category;
  into: Category;
  onBack: () => void;
  onClose: () => void;
}

function Plan({ from, into, onBack, onClose }: PlanProps) {
  const body = { from_category_id: from.id };
  const plan = useApiQuery(mergeCategory, { params: { id: into.id }, body: { ...body, dry_run: true } }, { gcTime: 0 });
  const merge = useApiWrite(mergeCategory, { undo: `${from.name} merged into ${into.name}`, onSuccess: onClose });
  return (
    <Loaded query={plan} lines={4}>
      {({ moved, source_archived: isKept }) => (
        <>
          <p>
            <bdi className="font-semibold">{into.name}</bdi> gets{' '}
            {listed([
              counted(moved.transactions, 'transaction'),
              counted(moved.rules, 'rule'),
              counted(moved.counterparties, 'counterparty', 'counterparties'),
              moved.children_moved > 0 && counted(moved.children_moved, 'category', 'categories'),
              moved.children_merged > 0 &&
                `what is in ${counted(moved.children_merged, 'category', 'categories')} of the same name`,
            ])}
            . <bdi className="font-semibold">{from.name}</bdi>{' '}
            {isKept ? 'is archived, and whatever a bank puts into it goes there from now on.' : 'is deleted.'} This can
            be undone.
          </p>
          {merge.error && <ErrorBanner error={merge.error} />}
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <Button onClick={onBack}>Choose another</Button>
            <Button
              look="primary"
              busy={merge.isPending}
              onClick={() => merge.mutate({ params: { id: into.id }, body })}
            >
              Merge
            </Button>
          </div>
        </>
      )}
    </Loaded>
  );
}

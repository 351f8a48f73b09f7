import { ArrowDownUp, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import { listCategories } from '../../../src/features/categories/categories.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import type { Category } from '../../lib/category-color.ts';
import { counted } from '../../lib/numbers.ts';
import { CategoryTree } from './category-tree.tsx';
import { useRecentTotals } from './recent-totals.ts';

/** What a dialog is open for. */
export type CategoryAction =
  | { kind: 'new'; parent: Category | null }
  | { kind: 'edit'; category: Category }
  | { kind: 'merge'; category: Category }
  | { kind: 'delete'; category: Category }
  | { kind: 'exchange' };

const CategoryDialog = lazy(async () => ({ default: (await import('./category-dialog.tsx')).CategoryDialog }));

/** The tree of categories, with what each came to lately. */
export default function CategoriesPage() {
  const categories = useApiQuery(listCategories, {});
  const totals = useRecentTotals();
  const right = useReasonAgainst('full_access');
  const [action, setAction] = useState<CategoryAction | null>(null);
  const [withArchived, showArchived] = useState(false);
  const archived = categories.data?.filter((one) => one.archived).length ?? 0;
  return (
    <>
      <PageHeader
        title="Categories"
        lead="What money is spent on and comes from. Each transaction has at most one."
        actions={
          <>
            <Button icon={ArrowDownUp} onClick={() => setAction({ kind: 'exchange' })}>
              As a table
            </Button>
            <Button
              look="primary"
              icon={Plus}
              disabledReason={right}
              onClick={() => setAction({ kind: 'new', parent: null })}
            >
              New category
            </Button>
          </>
        }
      />
      <Loaded query={categories} lines={16}>
        {(list) => (
          <CategoryTree
            categories={withArchived ? list : list.filter((one) => !one.archived)}
            totals={totals}
            right={right}
            onAction={setAction}
          />
        )}
      </Loaded>
      {archived > 0 && (
        <Button look="quiet" className="mt-3" aria-pressed={withArchived} onClick={() => showArchived(!withArchived)}>
          {withArchived
            ? 'Hide archived ones'
            : `Show ${counted(archived, 'archived category', 'archived categories')}`}
        </Button>
      )}
      <Suspense>{action && <CategoryDialog action={action} onClose={() => setAction(null)} />}</Suspense>
    </>
  );
}

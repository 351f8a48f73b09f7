import { Archive, ArchiveRestore, Ellipsis, GitMerge, Pencil, Plus, Trash2 } from 'lucide-react';

import { updateCategory } from '../../../src/features/categories/categories.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { IconButton } from '../../components/button.tsx';
import { FigureLink } from '../../components/figure-link.tsx';
import { Menu, type MenuItem } from '../../components/menu.tsx';
import { Status } from '../../components/status.tsx';
import { CategoryGlyph } from '../../components/transaction/category-chip.tsx';
import type { Category } from '../../lib/category-color.ts';
import type { CategoryAction } from './categories-page.tsx';
import type { RecentTotals } from './recent-totals.ts';

interface CategoryTreeProps {
  /** Each top-level one, then its children. */
  categories: readonly Category[];
  totals: RecentTotals | undefined;
  /** Why this person cannot change them. */
  right: string | undefined;
  onAction: (action: CategoryAction) => void;
}

const KINDS = { income: 'Income', expense: 'Spending', transfer: 'Transfer' } as const;

/** Two levels, each category with what it and those below it came to. */
export function CategoryTree({ categories, ...rest }: CategoryTreeProps) {
  const byParent = Map.groupBy(categories, ({ parent_id: parent }) => parent ?? '');
  const known = new Set(categories.map(({ id }) => id));
  // The parent of an archived one may be out of sight.
  const top = categories.filter(({ parent_id: parent }) => parent === null || !known.has(parent));
  if (top.length === 0) return <p className="text-muted">There are no categories.</p>;
  return (
    <>
      <p className="pr-13 text-right text-sm text-muted">Last 90 days</p>
      <ul aria-label="Categories">
        {top.map((category) => (
          <li key={category.id} className="mb-5">
            <Row category={category} kindAbove={undefined} {...rest} />
            <ul aria-label={category.name}>
              {byParent.get(category.id)?.map((child) => (
                <li key={child.id}>
                  <Row category={child} kindAbove={category.kind} {...rest} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </>
  );
}

interface RowProps extends Omit<CategoryTreeProps, 'categories'> {
  category: Category;
  kindAbove: Category['kind'] | undefined;
}

function Row({ category, kindAbove, totals, right, onAction }: RowProps) {
  const update = useApiWrite(updateCategory, {
    undo: ({ archived }) => (archived ? 'Archived' : 'No longer archived'),
  });
  const archive = () => update.mutate({ params: { id: category.id }, body: { archived: !category.archived } });
  return (
    <div className="flex min-h-11 items-center gap-3 border-b border-line">
      <Name category={category} />
      {category.kind !== kindAbove && <span className="shrink-0 text-sm text-muted">{KINDS[category.kind]}</span>}
      <span className="ml-auto text-right">
        <Total category={category} totals={totals} />
      </span>
      <Menu
        trigger={<IconButton icon={Ellipsis} label={`Actions for ${category.name}`} />}
        items={actionsFor(category, right, onAction, archive)}
      />
    </div>
  );
}

function Name({ category: { id, name, parent_id: parent, archived } }: { category: Category }) {
  return (
    <span className={`flex min-w-0 items-center gap-2.5 ${parent === null ? 'font-semibold' : 'pl-6 font-normal'}`}>
      <CategoryGlyph id={id} size="sm" />
      <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
      {archived && <Status>Archived</Status>}
    </span>
  );
}

/** One line per currency; each leads to its rows. */
function Total({ category, totals }: { category: Category; totals: RecentTotals | undefined }) {
  return totals?.of(category).map(({ currency, amount }) => (
    <span key={currency} className="block whitespace-nowrap">
      <FigureLink amount={amount} currency={currency} search={totals.rowsOf(category, currency)} kind="flow" isAlone />
    </span>
  ));
}

function actionsFor(
  category: Category,
  right: string | undefined,
  onAction: (action: CategoryAction) => void,
  archive: () => void,
): MenuItem[] {
  const { is_system: isSystem, archived, parent_id: parent } = category;
  const open = (kind: 'edit' | 'merge' | 'delete') => () => onAction({ kind, category });
  const child = {
    label: 'New category below it',
    icon: Plus,
    disabledReason: right,
    onSelect: () => onAction({ kind: 'new', parent: category }),
  };
  return [
    { label: 'Edit or move', icon: Pencil, disabledReason: right, onSelect: open('edit') },
    ...(parent === null && !archived ? [child] : []),
    { label: 'Merge into another', icon: GitMerge, disabledReason: right, onSelect: open('merge') },
    {
      label: archived ? 'No longer archived' : 'Archive',
      icon: archived ? ArchiveRestore : Archive,
      disabledReason: right,
      onSelect: archive,
    },
    {
      label: 'Delete',
      icon: Trash2,
      destructive: true,
      disabledReason: right ?? (isSystem ? 'Homeledger came with it. It can be archived.' : undefined),
      onSelect: open('delete'),
    },
  ];
}

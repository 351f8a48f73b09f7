import { Ellipsis, GitMerge, ListChecks, Pencil, Plus, Search, Store, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { listCounterparties } from '../../../src/features/counterparties/counterparties.contract.ts';
import { useCategories } from '../../api/lists.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FigureLink, RowsLink } from '../../components/figure-link.tsx';
import { Menu } from '../../components/menu.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useMakeRule } from '../../components/rule/use-make-rule.ts';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { CategoryChip } from '../../components/transaction/category-chip.tsx';
import type { RuleStart } from '../../lib/new-rule.ts';
import { inDigits } from '../../lib/numbers.ts';
import { inCurrency, type RowSearch } from '../../lib/rows-behind.ts';

export type Counterparty = OutputOf<typeof listCounterparties>['counterparties'][number];

/** What a dialog is open for. */
export type CounterpartyAction =
  | { kind: 'new' }
  | { kind: 'show'; one: Counterparty }
  | { kind: 'edit'; one: Counterparty }
  | { kind: 'merge'; one: Counterparty }
  | { kind: 'delete'; one: Counterparty };

const CounterpartyDialog = lazy(async () => ({
  default: (await import('./counterparty-dialog.tsx')).CounterpartyDialog,
}));

/** Who money goes to and comes from, under one name each. */
export default function CounterpartiesPage() {
  const [withMerged, showMerged] = useState(false);
  const [text, search] = useState('');
  const all = useApiQuery(
    listCounterparties,
    { query: { detail: 'true', include_merged: String(withMerged) } },
    { placeholderData: (before) => before },
  );
  const right = useReasonAgainst('full_access');
  const [action, setAction] = useState<CounterpartyAction | null>(null);
  const add = (
    <Button look="primary" icon={Plus} disabledReason={right} onClick={() => setAction({ kind: 'new' })}>
      New counterparty
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Counterparties"
        lead="Who money goes to and comes from. One name gathers what banks write in many ways."
        actions={add}
      />
      <Loaded query={all} lines={10}>
        {({ counterparties }) =>
          counterparties.length === 0 ? (
            <EmptyState icon={Store} title="No counterparties yet" action={add}>
              Make one here or in the drawer of a transaction, and let a rule assign it from then on.
            </EmptyState>
          ) : (
            <>
              <SearchField text={text} onSearch={search} />
              <Found all={counterparties.filter(({ name }) => isIn(name, text))} right={right} onAction={setAction} />
            </>
          )
        }
      </Loaded>
      <Button look="quiet" className="mt-3" aria-pressed={withMerged} onClick={() => showMerged(!withMerged)}>
        {withMerged ? 'Hide merged ones' : 'Show merged ones'}
      </Button>
      <Suspense>{action && <CounterpartyDialog action={action} onClose={() => setAction(null)} />}</Suspense>
    </>
  );
}

/** More at once would only be scrolled past: the search finds the others. */
const AT_ONCE = 100;

function isIn(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.trim().toLowerCase());
}

function SearchField({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  return (
    <label className="relative mb-3 block max-w-md">
      <Search aria-hidden size={18} className="absolute top-1/2 left-3 -translate-y-1/2 text-muted" />
      <span className="sr-only">Search</span>
      <input
        type="search"
        className="field target pl-10"
        placeholder="Search"
        value={text}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
    </label>
  );
}

interface FoundProps {
  all: readonly Counterparty[];
  right: string | undefined;
  onAction: (action: CounterpartyAction) => void;
}

function Found({ all, right, onAction }: FoundProps) {
  const [count, setCount] = useState(AT_ONCE);
  return (
    <>
      <DataTable
        caption="Counterparties"
        rows={all.slice(0, count)}
        keyOf={({ id }) => id}
        columns={columnsFor(right, onAction)}
        empty={<p className="text-muted">No counterparty has that in its name.</p>}
      />
      {all.length > count && (
        <div className="mt-4 text-center">
          <Button onClick={() => setCount(count + AT_ONCE)}>Show more</Button>
        </div>
      )}
    </>
  );
}

function columnsFor(right: string | undefined, onAction: FoundProps['onAction']): Column<Counterparty>[] {
  return [
    {
      title: 'Counterparty',
      isRowHeader: true,
      cell: (one) => <Name one={one} onShow={() => onAction({ kind: 'show', one })} />,
    },
    { title: 'Category', cell: ({ category_id: id }) => (id === null ? null : <CategoryOf id={id} />) },
    {
      title: 'Transactions',
      align: 'end',
      cell: ({ id, transaction_count: count = 0 }) => (
        <RowsLink search={rowsOf(id)} isAlone>
          <span className="tabular-nums">{inDigits(count)}</span>
        </RowsLink>
      ),
    },
    { title: 'In all', align: 'end', cell: (one) => <Totals one={one} /> },
    {
      title: 'Actions',
      align: 'end',
      isActions: true,
      cell: (one) => <Actions one={one} right={right} onAction={onAction} />,
    },
  ];
}

function rowsOf(id: string): RowSearch {
  return { counterparty_id: id, excluded_accounts: 'include', dependent_accounts: 'include' };
}

function Name({
  one: { name, website_url: site, is_merged: isMerged },
  onShow,
}: {
  one: Counterparty;
  onShow: () => void;
}) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <span
        aria-hidden
        className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent-strong"
      >
        {initialsOf(name)}
      </span>
      <span className="min-w-0">
        <button type="button" className="text-left font-semibold wrap-anywhere hover:underline" onClick={onShow}>
          <bdi>{name}</bdi>
        </button>
        {isMerged && <Status>Merged</Status>}
        {site !== null && <span className="block text-sm font-normal text-muted wrap-anywhere">{hostOf(site)}</span>}
      </span>
    </span>
  );
}

/** "RE" for REWE, "CC" for Corner Cafe. */
function initialsOf(name: string): string {
  const [first = '', second] = name.split(/\s+/).filter((word) => word !== '');
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join('').toUpperCase();
}

function hostOf(site: string): string {
  return URL.parse(site)?.host ?? site;
}

function CategoryOf({ id }: { id: string }) {
  const category = useCategories()?.get(id);
  return category ? <CategoryChip category={category} /> : null;
}

/** Over the transactions that count in totals; one line per currency, which leads to them. */
function Totals({ one: { id, totals = [] } }: { one: Counterparty }) {
  const currencies = totals.map(({ iso_currency_code: currency }) => currency);
  return totals.map(({ iso_currency_code: currency, total_amount: amount }) => {
    const only = inCurrency(currency, currencies);
    const search = only && { ...countedOf(id), ...only };
    return (
      <span key={currency} className="block whitespace-nowrap">
        <FigureLink amount={amount} currency={currency} search={search} kind="flow" isAlone />
      </span>
    );
  });
}

/** What its totals count. */
function countedOf(id: string): RowSearch {
  return { counterparty_id: id, pending: 'false', excluded_accounts: 'exclude', dependent_accounts: 'exclude' };
}

/** What goes to it or comes from it, filed as it is filed. */
function startOf({ id, category_id: category }: Counterparty): RuleStart {
  return {
    condition: { field: 'counterparty', op: 'eq', value: id },
    ...(category === null ? {} : { actions: [{ type: 'set_category', category_id: category }] }),
  };
}

function Actions({ one, right, onAction }: { one: Counterparty } & Omit<FoundProps, 'all'>) {
  const make = useMakeRule();
  const reason = right ?? (one.is_merged ? 'It is merged into another one.' : undefined);
  return (
    <Menu
      trigger={<IconButton icon={Ellipsis} label={`Actions for ${one.name}`} />}
      items={[
        { label: 'Make a rule', icon: ListChecks, disabledReason: reason, onSelect: () => make(startOf(one)) },
        { label: 'Edit', icon: Pencil, disabledReason: right, onSelect: () => onAction({ kind: 'edit', one }) },
        {
          label: 'Merge into another',
          icon: GitMerge,
          disabledReason: reason,
          onSelect: () => onAction({ kind: 'merge', one }),
        },
        {
          label: 'Delete',
          icon: Trash2,
          destructive: true,
          disabledReason: right,
          onSelect: () => onAction({ kind: 'delete', one }),
        },
      ]}
    />
  );
}

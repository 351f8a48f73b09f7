import { Ellipsis, Pencil, Plus, Repeat, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { listSeries } from '../../../src/features/series/series.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { DataTable, type Column, type RowGroup } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Menu } from '../../components/menu.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { amountOf, centsOf } from '../../lib/amounts.ts';
import { inWords } from '../../lib/days.ts';
import { CADENCES, TYPES } from './series-words.ts';

export type Series = OutputOf<typeof listSeries>['series'][number];

/** What a dialog is open for. */
export type SeriesAction =
  | { kind: 'new' }
  | { kind: 'show'; one: Series }
  | { kind: 'edit'; one: Series }
  | { kind: 'delete'; one: Series };

const SeriesDialog = lazy(async () => ({ default: (await import('./series-dialog.tsx')).SeriesDialog }));

/** What is paid or received again and again: how much, how often, and when next. */
export default function SeriesPage() {
  const series = useApiQuery(listSeries, { query: { detail: 'true' } });
  const right = useReasonAgainst('full_access');
  const [action, setAction] = useState<SeriesAction | null>(null);
  const add = (
    <Button look="primary" icon={Plus} disabledReason={right} onClick={() => setAction({ kind: 'new' })}>
      New series
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Recurring"
        lead="What is paid or received again and again: subscriptions, bills, loans, salaries."
        actions={add}
      />
      <Loaded query={series} lines={8}>
        {({ series: list }) => (
          <>
            <YearlyCost series={list} />
            <DataTable
              caption="Recurring series"
              groups={groupsOf(list)}
              keyOf={({ id }) => id}
              columns={columnsFor(right, setAction)}
              empty={
                <EmptyState icon={Repeat} title="Nothing recurring yet" action={add}>
                  Make a series, then choose it in the drawer of its transactions or let a rule assign it.
                </EmptyState>
              }
            />
          </>
        )}
      </Loaded>
      <Suspense>{action && <SeriesDialog action={action} onClose={() => setAction(null)} />}</Suspense>
    </>
  );
}

/** What goes out in a year by the series that have not ended; one sum per currency. */
function YearlyCost({ series }: { series: readonly Series[] }) {
  const costs = new Map<string | null, bigint>();
  for (const { direction, yearly_cost: cost = null, last_iso_currency_code: currency = null } of series) {
    if (direction === 'out' && cost !== null) costs.set(currency, (costs.get(currency) ?? 0n) + centsOf(cost));
  }
  if (costs.size === 0) return null;
  return (
    <div className="mb-4 flex flex-wrap items-baseline gap-x-6">
      {[...costs].map(([currency, cents]) => (
        <span key={currency} className="font-serif text-3xl font-semibold tracking-tight">
          <Money amount={amountOf(cents)} currency={currency} kind="balance" />
        </span>
      ))}
      <span className="text-muted">goes out in a year. What has ended, or has no known rhythm, is not counted.</span>
    </div>
  );
}

const GROUPS = [
  ['late', 'Late'],
  ['active', 'Next'],
  ['ended', 'Ended'],
] as const;

/** What is due next comes first; without a rhythm nothing is known to be due. */
function groupsOf(series: readonly Series[]): RowGroup<Series>[] {
  const next = ({ next_expected_date: day }: Series): string => day ?? '9999';
  return GROUPS.map(([status, title]) => ({
    key: status,
    title,
    rows: series.filter((one) => one.status === status).toSorted((a, b) => (next(a) < next(b) ? -1 : 1)),
  })).filter(({ rows }) => rows.length > 0);
}

function columnsFor(right: string | undefined, onAction: (action: SeriesAction) => void): Column<Series>[] {
  return [
    {
      title: 'Series',
      isRowHeader: true,
      cell: (one) => (
        <>
          <button
            type="button"
            className="text-left font-semibold wrap-anywhere hover:underline"
            onClick={() => onAction({ kind: 'show', one })}
          >
            <bdi>{one.name}</bdi>
          </button>
          <span className="block text-sm font-normal text-muted">{TYPES[one.type]}</span>
        </>
      ),
    },
    {
      title: 'Rhythm',
      cell: ({ cadence }) => (cadence ? CADENCES[cadence] : <span className="text-muted">None known</span>),
    },
    { title: 'Next', cell: (one) => <Next one={one} /> },
    { title: 'Last', align: 'end', cell: (one) => <Last one={one} /> },
    {
      title: 'In a year',
      align: 'end',
      cell: ({ yearly_cost: cost, last_iso_currency_code: currency = null }) =>
        cost == null ? null : <Money amount={cost} currency={currency} kind="balance" />,
    },
    {
      title: 'Actions',
      align: 'end',
      isActions: true,
      cell: (one) => <Actions one={one} right={right} onAction={onAction} />,
    },
  ];
}

function Next({ one: { status, next_expected_date: day } }: { one: Series }) {
  if (status === 'ended') return <span className="text-muted">Ended</span>;
  if (day == null) return <span className="text-muted">–</span>;
  return status === 'late' ? <Status tone="warning">Late: {inWords(day, 'dayOfYear')}</Status> : inWords(day);
}

function Last({ one }: { one: Series }) {
  const { last_amount: amount, last_date: day, last_iso_currency_code: currency = null, amount_kind: kind } = one;
  if (amount == null || day == null) return <span className="text-muted">–</span>;
  return (
    <>
      <Money amount={amount} currency={currency} />
      <span className="block text-sm text-muted">
        {inWords(day)}
        {kind === 'variable' && ', varies'}
      </span>
    </>
  );
}

interface ActionsProps {
  one: Series;
  right: string | undefined;
  onAction: (action: SeriesAction) => void;
}

function Actions({ one, right, onAction }: ActionsProps) {
  return (
    <Menu
      trigger={<IconButton icon={Ellipsis} label={`Actions for ${one.name}`} />}
      items={[
        { label: 'Edit', icon: Pencil, disabledReason: right, onSelect: () => onAction({ kind: 'edit', one }) },
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

import { ReceiptText } from 'lucide-react';
import { useState } from 'react';

import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { ApiError } from '../../api/client.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { PageLink } from '../../lib/page-link.tsx';
import { AddButton } from './add-button.tsx';
import { AfterEdit, EditOutcome } from './after-edit.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { FilterChips } from './filter-chips.tsx';
import { hasMonths, isFiltered, withFilters, writeView, type FilterName, type View } from './filters.ts';
import { ListHeader } from './list-header.tsx';
import { AS_READ, firstPage } from './list-queries.ts';
import { MonthList } from './month-list.tsx';
import { PlainList } from './plain-list.tsx';
import { PrintedList, useIsPrinting } from './printed-list.tsx';
import { Toolbar } from './toolbar.tsx';
import { useView, type ViewInAddress } from './use-view.ts';
import { ColumnsMenu, ExportMenu, ViewsMenu } from './view-menus.tsx';

/** Every transaction of the household, found, corrected and filed by keyboard or pointer. */
export default function TransactionsPage() {
  const address = useView();
  const { view, show, clear } = address;
  return (
    <>
      <PageHeader
        title="Transactions"
        actions={
          <>
            <ViewsMenu view={view} show={show} />
            <ColumnsMenu />
            <ExportMenu view={view} />
            <AddButton view={view} />
          </>
        }
      />
      <Toolbar {...address} />
      <FilterChips view={view} show={show} clear={clear} />
      <UnknownNames {...address} />
      <List {...address} />
      <ConflictDialog />
    </>
  );
}

/** A mistyped filter would leave out nothing, and nobody would notice. */
function UnknownNames({ view, show }: ViewInAddress) {
  if (view.unknown.length === 0) return null;
  return (
    <Banner tone="warning" actions={<Button onClick={() => show(view)}>Remove from the address</Button>}>
      <p>The address contains {view.unknown.join(', ')}, which is no filter.</p>
    </Banner>
  );
}

/** The list that is there stays until the first rows of the next are. */
function List({ view, show, clear }: ViewInAddress) {
  const first = useApiQuery(listTransactions, firstPage(view.filters), AS_READ);
  const isPrinting = useIsPrinting();
  const [shown, setShown] = useState<{ view: View; first: NonNullable<typeof first.data> } | null>(null);
  if (first.data && (shown?.view !== view || shown.first !== first.data)) setShown({ view, first: first.data });
  const key = shown === null ? '' : JSON.stringify(writeView(shown.view));
  if (first.error) return <ListError error={first.error} view={view} show={show} retry={first.refetch} />;
  if (shown === null) return <Skeleton lines={10} />;
  if (shown.first.transactions.length === 0) return <Empty view={shown.view} clear={clear} />;
  return (
    <div aria-busy={shown.view !== view || undefined} className="aria-busy:opacity-60">
      <ListHeader view={shown.view} />
      <PrintedList />
      <div className={isPrinting ? 'print:hidden' : undefined}>
        {hasMonths(shown.view) ? (
          <MonthList key={key} view={shown.view} first={shown.first.transactions} />
        ) : (
          <PlainList key={key} view={shown.view} />
        )}
      </div>
      <AfterEdit view={shown.view} />
      <EditOutcome />
      <BulkBar view={shown.view} />
    </div>
  );
}

interface ListErrorProps extends Pick<ViewInAddress, 'view' | 'show'> {
  error: Error;
  retry: () => unknown;
}

/** A filter that the server does not know is named, and can be dropped. */
function ListError({ error, view, show, retry }: ListErrorProps) {
  const names = error instanceof ApiError ? (error.body.error.details ?? []).map(({ path }) => path as FilterName) : [];
  const wrong = names.filter((name) => name in view.filters);
  if (wrong.length === 0) return <ErrorBanner error={error} onRetry={retry} />;
  const without = withFilters(view.filters, Object.fromEntries(wrong.map((name) => [name, undefined])));
  return (
    <Banner
      tone="danger"
      actions={<Button onClick={() => show({ ...view, filters: without })}>Drop this filter</Button>}
    >
      <p>{error.message}</p>
    </Banner>
  );
}

function Empty({ view, clear }: Pick<ViewInAddress, 'view' | 'clear'>) {
  if (isFiltered(view.filters)) {
    return (
      <EmptyState icon={ReceiptText} title="Nothing matches" action={<Button onClick={clear}>Clear filters</Button>}>
        No transaction fits all filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={ReceiptText}
      title="No transactions yet"
      action={
        <PageLink to="/connections/new" className={buttonClass('primary')}>
          Add a bank
        </PageLink>
      }
    >
      Here is every movement of your accounts, as soon as a bank is connected, a file is imported or one is added by
      hand.
    </EmptyState>
  );
}

import { useState } from 'react';

import { listImportRows } from '../../../src/features/imports/imports.contract.ts';
import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { usePages } from '../../api/pages.ts';
import { DataTable } from '../../components/data-table.tsx';
import { FilterSelect, optionsOf } from '../../components/filters.tsx';
import { keyOfRow, OUTCOME_WORDS, ROW_COLUMNS } from '../../components/import/row-columns.tsx';
import type { ImportRow } from '../../components/import/sample-tables.tsx';
import { Section } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { ROW_FIELDS, TransactionRow } from '../../components/transaction/transaction-row.tsx';
import { inDigits } from '../../lib/numbers.ts';
import type { Import } from './import-page.tsx';

const PER_PAGE = '50';
type Shown = 'transactions' | 'file';

/** The transactions that are there because of it, and what became of each row of the file. */
export function ImportRows({ one }: { one: Import }) {
  const isThere = one.counts.added > 0 && one.status !== 'reverted';
  const [shown, show] = useState<Shown>(isThere ? 'transactions' : 'file');
  return (
    <Section
      title="Rows"
      actions={
        <Segmented<Shown>
          label="Which rows"
          value={shown}
          onChange={show}
          options={[
            { value: 'transactions', label: 'Transactions' },
            { value: 'file', label: `Rows of the file (${inDigits(one.counts.total)})` },
          ]}
        />
      }
    >
      {shown === 'transactions' ? <Transactions id={one.id} /> : <RowsOfFile id={one.id} />}
    </Section>
  );
}

function Transactions({ id }: { id: string }) {
  const { query, pagerOf } = usePages(
    listTransactions,
    { query: { import_id: id, fields: ROW_FIELDS, limit: PER_PAGE } },
    { isInDialog: true },
  );
  return (
    <Loaded query={query} lines={8}>
      {(found) => (
        <>
          {found.transactions.length === 0 && (
            <p className="text-muted">No transaction is there because of this import.</p>
          )}
          <ul className="divide-y divide-line">
            {found.transactions.map((transaction) => (
              <li key={transaction.id}>
                <TransactionRow transaction={transaction} withDate />
              </li>
            ))}
          </ul>
          <Pager label="transactions" {...pagerOf(found)} />
        </>
      )}
    </Loaded>
  );
}

function RowsOfFile({ id }: { id: string }) {
  const [outcome, choose] = useState<ImportRow['outcome']>();
  return (
    <>
      <div className="mb-4">
        <FilterSelect
          label="Outcome"
          all="All"
          value={outcome}
          options={optionsOf(OUTCOME_WORDS, ({ word }) => word)}
          onChange={choose}
        />
      </div>
      <RowTable key={outcome} id={id} outcome={outcome} />
    </>
  );
}

function RowTable({ id, outcome }: { id: string; outcome: ImportRow['outcome'] | undefined }) {
  const { query, pagerOf } = usePages(
    listImportRows,
    { params: { id }, query: { limit: PER_PAGE, ...(outcome === undefined ? {} : { outcome }) } },
    { isInDialog: true },
  );
  return (
    <Loaded query={query} lines={8}>
      {(found) => (
        <>
          <DataTable
            caption="Rows of the file, by line"
            columns={ROW_COLUMNS}
            rows={found.rows}
            keyOf={keyOfRow}
            empty={<p className="text-muted">No row of the file has this outcome.</p>}
          />
          <Pager label="rows" {...pagerOf(found)} />
        </>
      )}
    </Loaded>
  );
}

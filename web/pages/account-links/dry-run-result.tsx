import type { z } from 'zod';

import type { AccountLinkDryRun } from '../../../src/features/account-links/account-links.contract.ts';
import { getTransaction } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Banner } from '../../components/banner.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { counted, inDigits } from '../../lib/numbers.ts';
import { TransactionRow } from '../../components/transaction/transaction-row.tsx';
import { agreementInWords } from './pair.tsx';
import { Missing, toleranceInWords, Warnings } from './link-words.tsx';

/** Pairs to look at before linking. */
const SHOWN = 4;

export type DryRun = z.output<typeof AccountLinkDryRun>;

/** What a link would do: matches per tolerance, what looks wrong, and a few pairs. */
export function DryRunResult({ preview }: { preview: DryRun }) {
  const { reconciliation: counts, unmatched_dependent_totals: totals } = preview;
  return (
    <>
      {preview.refused && (
        <Banner tone="danger" title="These do not look like copies of one account">
          <p>
            Fewer than one in ten transactions of the copy have a match, even two weeks apart. If you link the accounts,
            all of them disappear from the totals.
          </p>
        </Banner>
      )}
      <p className="mb-3">
        {counted(counts.matched_count, 'transaction')} would match.{' '}
        {counts.unmatched_dependent_count > 0 && <Missing totals={totals} />}
      </p>
      <Warnings warnings={preview.warnings} totals={[]} />
      <DataTable
        caption="Matches per tolerance"
        columns={[
          { title: 'Dates', cell: (row) => toleranceInWords(row.match_tolerance_days), isRowHeader: true },
          { title: 'Matches', cell: (row) => inDigits(row.matched_count), align: 'end' },
        ]}
        rows={preview.tolerances}
        keyOf={(row) => String(row.match_tolerance_days)}
        empty={null}
      />
      {preview.sample_matches.length > 0 && <Samples samples={preview.sample_matches} />}
    </>
  );
}

function Samples({ samples }: { samples: DryRun['sample_matches'] }) {
  return (
    <>
      <h3 className="mt-4 mb-2 font-semibold">Some of the pairs</h3>
      <ul className="mb-4 space-y-3">
        {samples.slice(0, SHOWN).map((pair) => (
          <li key={pair.dependent_transaction_id}>
            <div className="grid gap-x-4 sm:grid-cols-2">
              <Side title="Primary" id={pair.primary_transaction_id} />
              <Side title="Copy" id={pair.dependent_transaction_id} />
            </div>
            <p className="text-sm text-muted">{agreementInWords(pair)}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

function Side({ title, id }: { title: string; id: string }) {
  const row = useApiQuery(getTransaction, { params: { id } });
  return (
    <div className="min-w-0">
      <h4 className="mb-1 text-sm font-semibold text-muted">{title}</h4>
      <Loaded query={row} lines={2}>
        {(found) => <TransactionRow transaction={found} density="comfortable" withDate />}
      </Loaded>
    </div>
  );
}

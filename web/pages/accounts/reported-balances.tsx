import { Plus, Undo2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { deleteAccountBalance } from '../../../src/features/accounts/accounts-by-hand.contract.ts';
import { getAccountBalances } from '../../../src/features/accounts/accounts.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Money } from '../../components/money.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inWords } from '../../lib/days.ts';
import { counted } from '../../lib/numbers.ts';
import { isByHand, type Detail } from './account-words.tsx';

const SetBalanceDialog = lazy(async () => ({ default: (await import('./set-balance.tsx')).SetBalanceDialog }));

type Snapshot = OutputOf<typeof getAccountBalances>['balances'][number];

const SOURCES = { sync: 'Bank', import: 'File', manual: 'By hand' } as const;
const SHOWN = 5;

/** What was reported or stated, newest first; what was stated by hand can be taken back. */
export function ReportedBalances({ account }: { account: Detail }) {
  const balances = useApiQuery(getAccountBalances, { params: { id: account.id } });
  const [isStating, setStating] = useState(false);
  const right = useReasonAgainst('full_access');
  return (
    <Section
      title="Reported balances"
      actions={
        isByHand(account) && (
          <Button icon={Plus} disabledReason={right} onClick={() => setStating(true)}>
            State a balance
          </Button>
        )
      }
    >
      <Loaded query={balances} lines={3}>
        {({ balances: all }) => <Snapshots account={account} newest={all.toReversed()} />}
      </Loaded>
      <Suspense>{isStating && <SetBalanceDialog account={account} onClose={() => setStating(false)} />}</Suspense>
    </Section>
  );
}

function Snapshots({ account, newest }: { account: Detail; newest: readonly Snapshot[] }) {
  const [isWhole, setWhole] = useState(false);
  const right = useReasonAgainst('full_access');
  const takeBack = useApiWrite(deleteAccountBalance, { undo: 'Balance taken back' });
  const columns: Column<Snapshot>[] = [
    { title: 'Day', cell: ({ date }) => inWords(date), isRowHeader: true },
    { title: 'From', cell: ({ source }) => SOURCES[source] },
    { title: 'Balance', align: 'end', cell: (one) => <Amount one={one} /> },
  ];
  if (isByHand(account) && newest.some(({ source }) => source === 'manual')) {
    columns.push({
      title: 'Actions',
      isActions: true,
      cell: ({ date, source, iso_currency_code: currency }) =>
        source === 'manual' && (
          <IconButton
            icon={Undo2}
            label={`Take back the balance of ${inWords(date)}`}
            disabledReason={right}
            busy={takeBack.isPending && takeBack.variables.params?.date === date}
            onClick={() =>
              takeBack.mutate({
                params: { id: account.id, date },
                query: currency === null ? {} : { iso_currency_code: currency },
              })
            }
          />
        ),
    });
  }
  return (
    <>
      {takeBack.error !== null && <ErrorBanner error={takeBack.error} />}
      <DataTable
        caption="Reported balances"
        columns={columns}
        rows={isWhole ? newest : newest.slice(0, SHOWN)}
        keyOf={({ date, iso_currency_code: currency }) => `${date} ${currency}`}
        empty={<p className="text-muted">None yet.</p>}
      />
      {newest.length > SHOWN && (
        <Button look="quiet" className="mt-2" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${counted(newest.length, 'day')}`}
        </Button>
      )}
    </>
  );
}

function Amount({ one: { balance_current: amount, iso_currency_code: currency } }: { one: Snapshot }) {
  return amount === null ? '–' : <Money amount={amount} currency={currency} kind="balance" />;
}

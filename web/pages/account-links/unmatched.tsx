import { useState, type ReactNode } from 'react';

import { listUnmatched } from '../../../src/features/account-links/account-links.contract.ts';
import { matchByHand } from '../../../src/features/transaction-matches/transaction-matches.contract.ts';
import type { OutputOf } from '../../../src/contract/operation.ts';
import { usePages } from '../../api/pages.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Money } from '../../components/money.tsx';
import { Pager } from '../../components/pager.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { TransactionRow } from '../../components/transaction/transaction-row.tsx';
import { LANGUAGE } from '../../lib/language.ts';
import type { AccountLink } from './link-words.tsx';

type Side = 'primary' | 'dependent';
type Row = OutputOf<typeof listUnmatched>['transactions'][number];

const day = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeZone: 'UTC' });
const OTHER = { primary: 'dependent', dependent: 'primary' } as const;
const EMPTY = {
  primary: 'Every transaction of the primary account has a copy, in the time that the copy covers.',
  dependent: 'Every transaction of the copy has a partner.',
};

interface UnmatchedProps {
  link: AccountLink;
  side: Side;
}

/** Rows of one side that nothing was found for; each can be paired by hand. */
export function Unmatched({ link, side }: UnmatchedProps) {
  const right = useReasonAgainst('full_access');
  const [open, setOpen] = useState<Row>();
  return (
    <>
      <Rows
        link={link}
        side={side}
        empty={EMPTY[side]}
        renderAction={(row) => (
          <Button disabledReason={right} onClick={() => setOpen(row)}>
            Pair by hand
          </Button>
        )}
      />
      {open && <PairDialog link={link} side={side} row={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

interface RowsProps extends UnmatchedProps {
  isInDialog?: boolean;
  empty: string;
  renderAction: (row: Row) => ReactNode;
}

function Rows({ link, side, isInDialog = false, empty, renderAction }: RowsProps) {
  const input = { params: { id: link.id }, query: { side } };
  const { query: rows, pagerOf } = usePages(listUnmatched, input, { isInDialog });
  return (
    <Loaded query={rows} lines={6}>
      {(found) => (
        <>
          {found.transactions.length === 0 && <p className="py-6 text-muted">{empty}</p>}
          <ul
            aria-label={side === 'primary' ? 'Unmatched in the primary account' : 'Unmatched in the copy'}
            className={`divide-y divide-line empty:hidden ${isInDialog ? '' : 'rounded-card border border-line bg-surface px-4 py-1 sm:px-6'}`}
          >
            {found.transactions.map((row) => (
              <li key={row.id}>
                <TransactionRow transaction={row} withDate withoutAccount trailing={renderAction(row)} />
              </li>
            ))}
          </ul>
          <Pager label="unmatched transactions" {...pagerOf(found)} />
        </>
      )}
    </Loaded>
  );
}

/** Chooses the partner of a row among the unmatched rows of the other account. */
function PairDialog({ link, side, row, onClose }: UnmatchedProps & { row: Row; onClose: () => void }) {
  const pair = useApiWrite(matchByHand, { undo: 'Paired by hand', onSuccess: onClose });
  const choose = (partner: Row): void => {
    const [primary, dependent] = side === 'primary' ? [row, partner] : [partner, row];
    pair.mutate({
      body: {
        primary_transaction_id: primary.id,
        dependent_transaction_id: dependent.id,
        account_link_id: link.id,
      },
    });
  };
  return (
    <Dialog open wide title={`Pair ${row.counterparty_name} by hand`} onClose={onClose}>
      {pair.error !== null && <ErrorBanner error={pair.error} isAboutInput />}
      <p className="mb-4 text-muted">
        {day.format(new Date(row.date))}, <Money amount={row.amount} currency={row.iso_currency_code} />. Choose the
        transaction of the {side === 'primary' ? 'copy' : 'primary account'} that is the same purchase; amount and date
        may differ.
      </p>
      <Rows
        link={link}
        side={OTHER[side]}
        isInDialog
        empty="The other account has no transaction left to pair."
        renderAction={(partner) => (
          <Button busy={pair.isPending} onClick={() => choose(partner)}>
            Pair
          </Button>
        )}
      />
    </Dialog>
  );
}

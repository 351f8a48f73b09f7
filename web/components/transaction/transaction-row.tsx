import { Clock, Flag, MessageSquare, Trash2, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import type { getTransaction } from '../../../src/features/transactions/transactions.contract.ts';
import { useMembers } from '../../api/lists.ts';
import { density as chosenDensity, type Density } from '../../lib/density.ts';
import { inWords } from '../../lib/days.ts';
import { useStore } from '../../lib/store.ts';
import { Money } from '../money.tsx';
import { CategoryChip, CategoryGlyph } from './category-chip.tsx';
import { ROW, useIsOpened, type Neighbour } from './drawer-store.ts';
import { TransactionLink } from './transaction-link.tsx';

/** A transaction as the API answers it, whole or with the fields that were asked for. */
export type TransactionRecord = OutputOf<typeof getTransaction>;

/** The fields that a row shows, for answers that need no more. */
export const ROW_FIELDS =
  'date,amount,iso_currency_code,name,merchant_name,counterparty_name,category,category_source,account_name,user_id,' +
  'attributed_user_id,pending,flagged_at,excluded_from_totals,deleted_at';

interface TransactionRowProps {
  transaction: TransactionRecord;
  /** The one of this browser unless given. */
  density?: Density;
  /** Where rows are not under the heading of their day. */
  withDate?: boolean;
  /** Where all rows are of one account. */
  withoutAccount?: boolean;
  /** Where the amount has a column of its own. */
  withoutAmount?: boolean;
  /** For lists with one row at a time in the order of Tab. */
  linkTabIndex?: 0 | -1;
  hasComment?: boolean;
  /** More marks behind the name, such as "adopted". */
  marks?: ReactNode;
  /** Before the row: a box to tick. It stays in reach of the pointer. */
  leading?: ReactNode;
  /** Instead of the chip of the category, such as a cell that is edited in place. */
  category?: ReactNode;
  /** What else is known, at the end of the second line. */
  note?: ReactNode;
  /** Behind the amount: a button or menu. */
  trailing?: ReactNode;
  /** What comes before and after it, where that is not what stands in the page. */
  neighbour?: Neighbour;
}

const HEIGHTS: Readonly<Record<Density, string>> = {
  comfortable: 'min-h-11 pointer-coarse:min-h-12',
  compact: 'min-h-9 pointer-coarse:min-h-12',
};

/** The link is as large as the row, and the row shows its focus. */
const NAME = 'truncate leading-5 font-medium outline-none after:absolute after:inset-0';
const GONE = 'text-muted line-through';

/**
 * One transaction, the same on every page: in a cell of a table, a list or a card. Its name is a link over all of it, which
 * opens the drawer; what is given as a part of it stays above the link.
 */
export function TransactionRow(props: TransactionRowProps) {
  const {
    transaction,
    leading,
    marks,
    trailing,
    hasComment = false,
    withoutAmount = false,
    linkTabIndex,
    neighbour,
  } = props;
  const chosen = useStore(chosenDensity);
  const { density = chosen } = props;
  const isCompact = density === 'compact';
  const isGone = isSet(transaction.deleted_at);
  const isOpened = useIsOpened(transaction.short_id);
  return (
    <div
      {...{ [ROW]: transaction.short_id }}
      className={`@container relative flex items-center gap-3 rounded-control py-0.5 ${isOpened ? 'bg-accent-soft' : 'hover:bg-sunken/60'} has-[>div_a:focus-visible]:outline-2 has-[>div_a:focus-visible]:outline-focus ${HEIGHTS[density]}`}
    >
      {leading !== undefined && <span className="relative z-1 shrink-0">{leading}</span>}
      {transaction.category !== undefined && (
        <CategoryGlyph id={transaction.category?.id} size={isCompact ? 'sm' : 'md'} />
      )}
      <div className={`min-w-0 flex-1 ${isCompact ? '@2xl:flex @2xl:items-center @2xl:gap-3' : ''}`}>
        <div className={`flex min-w-0 items-center gap-1.5 ${isCompact ? '@2xl:w-2/5 @2xl:shrink-0' : ''}`}>
          <TransactionLink
            id={transaction.short_id}
            neighbour={neighbour}
            tabIndex={linkTabIndex}
            className={`${NAME} ${isGone ? GONE : ''}`}
          >
            <bdi>{nameOf(transaction)}</bdi>
          </TransactionLink>
          <Marks transaction={transaction} hasComment={hasComment} />
          {marks}
        </div>
        <SecondLine {...props} />
      </div>
      {!withoutAmount && (
        <span className={`min-w-22 shrink-0 text-right font-medium tabular-nums ${isGone ? 'line-through' : ''}`}>
          <Money amount={transaction.amount ?? '0.00'} currency={transaction.iso_currency_code ?? null} />
        </span>
      )}
      {trailing !== undefined && <span className="relative z-1 shrink-0">{trailing}</span>}
    </div>
  );
}

/** The name to show: that of the counterparty, or else of the merchant, or else the bank's text. */
export function nameOf({ counterparty_name: counterparty, merchant_name: merchant, name }: TransactionRecord): string {
  return counterparty ?? merchant ?? name ?? '';
}

export const NOT_IN_TOTALS = {
  account_excluded: 'Not in totals: its account is excluded',
  dependent_account: 'Not in totals: a linked account has it too',
} as const;

function Marks({ transaction, hasComment }: { transaction: TransactionRecord; hasComment: boolean }) {
  const { excluded_from_totals: excluded } = transaction;
  return (
    <>
      {transaction.pending === true && <Mark icon={Clock} label="Pending: the bank has not booked it yet" />}
      {isSet(transaction.flagged_at) && <Mark icon={Flag} label="Flagged" look="text-warning" />}
      {hasComment && <Mark icon={MessageSquare} label="Has a comment" />}
      {isSet(transaction.deleted_at) && <Mark icon={Trash2} label="Deleted" />}
      {excluded && (
        <span title={NOT_IN_TOTALS[excluded]} className="relative z-1 shrink-0 text-xs text-muted">
          not in totals
        </span>
      )}
    </>
  );
}

function Mark({ icon: Icon, label, look = 'text-muted' }: { icon: LucideIcon; label: string; look?: string }) {
  return (
    <span title={label} className={`relative z-1 shrink-0 ${look}`}>
      <Icon aria-hidden size={14} />
      <span className="sr-only">{label}</span>
    </span>
  );
}

function SecondLine({ transaction, withDate = false, withoutAccount = false, category, note }: TransactionRowProps) {
  const members = useMembers();
  const { attributed_user_id: attributed, user_id: owner, date = '', account_name: account } = transaction;
  const member =
    members && members.length > 1 ? members.find(({ short_id: id }) => id === (attributed ?? owner)) : undefined;
  const isDecided = isSet(transaction.category_source);
  return (
    <div className="flex min-w-0 items-center gap-x-2.5 overflow-hidden text-xs leading-4 text-muted">
      {withDate && <span className="shrink-0 tabular-nums @max-xs:hidden">{inWords(date)}</span>}
      {withDate && <span className="hidden shrink-0 tabular-nums @max-xs:inline">{inWords(date, 'dayOfYear')}</span>}
      {(category ?? transaction.category) !== undefined && (
        <span className="flex max-w-3/5 min-w-0 shrink-0">
          {category ?? (
            <CategoryChip
              category={transaction.category ?? null}
              none={isDecided ? 'No category' : 'Not categorised'}
            />
          )}
        </span>
      )}
      {!withoutAccount && account !== undefined && <bdi className="truncate">{account}</bdi>}
      {member && <bdi className="truncate @max-xs:hidden">{member.name}</bdi>}
      {note !== undefined && <span className="truncate">{note}</span>}
    </div>
  );
}

function isSet(value: string | null | undefined): boolean {
  return value !== null && value !== undefined;
}

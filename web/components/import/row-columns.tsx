import { inWords } from '../../lib/days.ts';
import { inDigits } from '../../lib/numbers.ts';
import type { Column } from '../data-table.tsx';
import { AmountsInText, Money } from '../money.tsx';
import { Status, type StatusTone } from '../status.tsx';
import { TransactionLink } from '../transaction/transaction-link.tsx';
import type { ImportRow } from './sample-tables.tsx';

export const OUTCOME_WORDS: Readonly<Record<ImportRow['outcome'], { tone: StatusTone; word: string }>> = {
  added: { tone: 'success', word: 'New' },
  updated: { tone: 'info', word: 'Updated' },
  duplicate: { tone: 'neutral', word: 'Known' },
  deleted: { tone: 'neutral', word: 'Deleted before' },
  skipped: { tone: 'neutral', word: 'Left out' },
  invalid: { tone: 'warning', word: 'Unreadable' },
};

/** Why a row has its outcome (36.7, 36.9.7); what needs no words is not here. */
const REASONS: Readonly<Record<string, string>> = {
  SAME_FILE: 'this file had it before',
  SAME_BANK_ID: 'the bank gives it the same number',
  SAME_CONTENT: 'same day, amount and text',
  SAME_TRANSACTION: 'it is this transaction',
  SAME_AS_PROVIDER: 'the bank connection delivered it',
  SIMILAR: 'much like one that is there',
  BROUGHT_BACK: 'brought back from an undone import',
  CHANGED_BY_BANK: 'the bank has changed it',
  CURRENCY_FILLED: 'its currency is known now',
  POSTED: 'it was pending, and is booked now',
  RESTORED: 'restored',
  DELETED_BY_PERSON: 'somebody deleted it',
  REPEATED_HEADER: 'column names again',
  REPEATED_ROW: 'the file has it twice',
  NOT_A_ROW: 'not a transaction',
  OPENING_BALANCE: 'an opening balance',
  STATED_BALANCE: 'a balance',
  PENDING: 'not booked yet',
  STATUS_IGNORED: 'its status says that it does not count',
  OTHER_ACCOUNT: 'of an account that is left out',
  EXCLUDED: 'you left it out',
  UNSUPPORTED_RECORD: 'no transaction of an account',
};

/** The columns of a table of rows of a file, as they were or would be imported. */
export const ROW_COLUMNS: readonly Column<ImportRow>[] = [
  { title: 'Line', align: 'end', cell: ({ line }) => <span className="text-muted">{inDigits(line)}</span> },
  {
    title: 'Date',
    cell: ({ date }) => (date === null ? null : <span className="whitespace-nowrap">{inWords(date)}</span>),
  },
  { title: 'Transaction', isRowHeader: true, cell: (row) => <Name row={row} /> },
  { title: 'Outcome', cell: (row) => <Outcome row={row} /> },
  {
    title: 'Amount',
    align: 'end',
    cell: ({ amount, iso_currency_code: currency }) =>
      amount === null ? null : <Money amount={amount} currency={currency} />,
  },
];

export function keyOfRow({ line, part }: ImportRow): string {
  return `${line} ${part}`;
}

function Name({ row: { description, merchant_name: merchant, transaction_id: id, raw, pending } }: { row: ImportRow }) {
  const text = merchant ?? description;
  const name = (
    <bdi className="font-medium wrap-anywhere">{text === '' ? <AmountsInText text={raw ?? '–'} /> : text}</bdi>
  );
  return (
    <>
      {id === null ? name : <TransactionLink id={id}>{name}</TransactionLink>}
      {pending && <span className="font-normal text-muted"> (pending)</span>}
    </>
  );
}

/** What becomes of it, why, and which transaction it was held against. */
function Outcome({ row: { outcome, reason, match, message, beside_transaction_id: beside } }: { row: ImportRow }) {
  const { tone, word } = OUTCOME_WORDS[outcome];
  const why = message ?? REASONS[reason ?? ''];
  return (
    <>
      <Status tone={tone}>{word}</Status>
      {why !== undefined && <span className="block text-sm text-muted wrap-anywhere">{why}</span>}
      {match === 'probable' && (
        <span className="block text-sm text-warning">
          {beside === null ? (
            'probably, not certainly'
          ) : (
            <>
              perhaps the same as <TransactionLink id={beside}>one that is there</TransactionLink>
            </>
          )}
        </span>
      )}
    </>
  );
}

import { inWords } from '../../lib/days.ts';
import { counted, inDigits } from '../../lib/numbers.ts';
import { Money } from '../money.tsx';
import { Section } from '../page-header.tsx';
import { Status } from '../status.tsx';
import { readingInWords } from './answers.ts';
import { PROOF_WORDS, type ImportSummary } from './import-words.ts';

type Proof = ImportSummary['balance_proof'];
type Result = Proof['results'][number];

interface ProofSectionProps {
  proof: Proof;
  accounts: ImportSummary['accounts'];
}

/** Whether the amounts of the file add up to its balances; and if not, where they stop doing so. */
export function ProofSection({ proof, accounts }: ProofSectionProps) {
  const nameOf = (id: string | null): string | undefined =>
    accounts.length > 1 ? accounts.find(({ account_id: one }) => one === id)?.account_name : undefined;
  return (
    <Section title="Does it add up?">
      {proof.results.length === 0 || proof.status === 'not_available' ? (
        <p className="text-muted">The file states no balance that its amounts could be checked against.</p>
      ) : (
        <ul className="divide-y divide-line">
          {proof.results.map((result, index) => (
            <li key={index} className="py-3 first:pt-0 last:pb-0">
              <ProofResult result={result} name={nameOf(result.account_id)} />
            </li>
          ))}
        </ul>
      )}
      {proof.proves_with.length > 0 && (
        <p className="mt-3">
          It would add up if{' '}
          {proof.proves_with.map(({ parameter, value }) => readingInWords(parameter, value)).join(' and ')}.
        </p>
      )}
    </Section>
  );
}

const METHODS: Readonly<Record<Result['method'], string>> = {
  running_balance: 'by the balance on each row',
  statement_balances: 'by the opening and closing balance',
  anchors: 'by balances that were known before',
  none: '',
};

function ProofResult({ result, name }: { result: Result; name: string | undefined }) {
  const { status, method, rows_checked: checked, rows_total: total, iso_currency_code: currency } = result;
  const { tone, word } = PROOF_WORDS[status];
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {name !== undefined && <bdi className="font-semibold">{name}</bdi>}
        <Status tone={tone ?? 'neutral'}>{word}</Status>
        <span className="text-muted">
          {inDigits(checked)} of {counted(total, 'row')} checked {METHODS[method]}
        </span>
      </p>
      <Balances result={result} />
      <FirstBreak result={result} />
      {status === 'proved' && result.continuity.status === 'gap' && result.continuity.previous_date !== null && (
        <p className="mt-1 text-warning">
          There is a gap since the import before it, which ended on {inWords(result.continuity.previous_date)}.
        </p>
      )}
      {isDifferent(result.ledger_difference) && (
        <p className="mt-1 text-warning">
          The account differs by <Money amount={result.ledger_difference ?? ''} currency={currency} kind="balance" />.
        </p>
      )}
    </>
  );
}

function isDifferent(difference: string | null): boolean {
  return difference !== null && !/^-?0\.00$/.test(difference);
}

function Balances({ result }: { result: Result }) {
  const { opening_balance: opening, closing_balance: closing, first_date: first, last_date: last } = result;
  const currency = result.iso_currency_code;
  if (opening === null || closing === null || first === null || last === null) return null;
  return (
    <p className="mt-1">
      From <Money amount={opening} currency={currency} kind="balance" /> on {inWords(first)} to{' '}
      <Money amount={closing} currency={currency} kind="balance" /> on {inWords(last)}.
    </p>
  );
}

const CAUSES = {
  wrong_balance: 'the balance on that line is wrong',
  flipped_sign: 'an amount has the wrong sign',
  wrong_decimal: 'an amount has its decimal point in the wrong place',
  doubled_row: 'a row is there twice',
  missing_row: 'a row is missing',
} as const;

/** Where the amounts stop adding up, and why that may be. */
export function FirstBreak({
  result: { first_break: first, break_count: count, iso_currency_code: currency },
}: {
  result: Result;
}) {
  if (!first) return null;
  const { line, date, expected, found, difference, likely_cause: cause, suspect_lines: suspects } = first;
  return (
    <>
      <p className="mt-1">
        {line === null ? 'In the statement of' : `On line ${inDigits(line)},`} {inWords(date)}, the balance should be{' '}
        <Money amount={expected} currency={currency} kind="balance" /> and is{' '}
        <Money amount={found} currency={currency} kind="balance" />:{' '}
        <Money amount={difference} currency={currency} kind="balance" /> apart. Probably {CAUSES[cause]}.
      </p>
      {suspects.length > 0 && (
        <p className="text-sm text-muted">
          Look at {suspects.length === 1 ? 'line' : 'lines'} {suspects.map((one) => inDigits(one)).join(', ')} of the
          file.
        </p>
      )}
      {count > 1 && (
        <p className="text-sm text-muted">{counted(count - 1, 'more place does', 'more places do')} not add up.</p>
      )}
    </>
  );
}

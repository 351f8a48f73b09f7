import type { ReactNode } from 'react';

import type { Fields } from '../../components/import/import-queue.ts';
import type { Preview } from '../../components/import/use-preview.ts';
import { Section } from '../../components/page-header.tsx';
import { counted, inDigits } from '../../lib/numbers.ts';
import { Choice } from './choice.tsx';
import type { PartProps } from './new-import.tsx';

type Detections = Preview['detection'];
type Key = 'encoding' | 'delimiter' | 'date_format' | 'decimal_separator' | 'sign' | 'fee_mode';

const FORMATS: Readonly<Record<string, string>> = {
  csv: 'Table (CSV)',
  ofx: 'OFX',
  qfx: 'QFX',
  qif: 'QIF',
  camt053: 'CAMT.053',
  mt940: 'MT940',
};

const CONFIDENCE: Readonly<Record<Detections['sign']['confidence'], string>> = {
  given: 'You said so',
  proved: 'The balances prove it',
  certain: 'Certain',
  profile: 'As before',
  likely: 'Likely',
  assumed: 'Assumed',
  ambiguous: 'Open',
  none: 'Not known',
};

/** The tests behind a detection (36.9.2); those that say nothing to people are not here. */
const EVIDENCE: Readonly<Record<string, string>> = {
  balance_proof: 'the amounts add up only so',
  stored_profile: 'earlier files of this account',
  built_in_profile: 'it looks like a file of this bank',
  bom: 'a mark at the beginning of the file',
  strict_decode: 'all letters can be read',
  byte_pattern: 'the letters of the file',
  declared: 'the file says so',
  field_counts: 'every row has as many columns',
  header_names: 'the names of the columns',
  content: 'what is in the file',
  value_over_12: 'a number above 12',
  year_first: 'the year comes first',
  second_date_column: 'a second column of dates',
  future_dates: 'dates would be in the future',
  row_order: 'the order of the rows',
  span: 'the days that it covers',
  ledger_overlap: 'transactions that are there already',
  both_separators: 'amounts with both separators',
  decimal_digits: 'two digits after it',
  grouping: 'groups of three digits',
  negative_values: 'amounts with a minus sign',
  direction_words: 'words for in and out',
  type_words: 'words for kinds of transactions',
  description_words: 'words in the texts',
  account_type: 'the kind of account',
  currency_column: 'a column of currencies',
  header_currency: 'a currency in the names of the columns',
  symbol: 'a currency sign',
  preamble: 'the lines above the table',
  account_currency: 'the currency of the account',
  other_account: 'an earlier file of another account',
  default: 'usual',
};

const SIGNS: Readonly<Record<string, string>> = {
  positive_is_in: 'With a minus sign: spent',
  positive_is_out: 'Without a minus sign: spent',
  debit_credit: 'Two columns: out and in',
  direction: 'A word in each row says it',
  format: 'The format says it',
};
const DELIMITERS: Readonly<Record<string, string>> = { ',': 'Comma', ';': 'Semicolon', tab: 'Tab', '|': 'Bar' };
const SEPARATORS: Readonly<Record<string, string>> = { '.': 'Point: 1,234.56', ',': 'Comma: 1.234,56' };
const FEES: Readonly<Record<string, string>> = { separate: 'Charged on top', included: 'Part of the amount' };
const DATES = [
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'YYYY-MM-DD',
  'DD-MM-YYYY',
  'DD.MM.YY',
  'MM/DD/YY',
  'DD/MM/YY',
];
const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'iso-8859-1',
  'iso-8859-15',
  'macintosh',
  'ibm850',
];

const ROWS: readonly { key: Key; term: string; words: Readonly<Record<string, string>>; chosen: readonly string[] }[] =
  [
    { key: 'date_format', term: 'Dates', words: {}, chosen: DATES },
    { key: 'decimal_separator', term: 'Before the cents', words: SEPARATORS, chosen: ['.', ','] },
    { key: 'sign', term: 'Money out', words: SIGNS, chosen: ['positive_is_in', 'positive_is_out'] },
    { key: 'fee_mode', term: 'Fees', words: FEES, chosen: ['separate', 'included'] },
    { key: 'encoding', term: 'Letters', words: {}, chosen: ENCODINGS },
    { key: 'delimiter', term: 'Between columns', words: DELIMITERS, chosen: [',', ';', 'tab', '|'] },
  ];

/** How the file is read, how sure that is and why. Each can be said otherwise. */
export function UnderstoodAs({ item, preview, change }: PartProps) {
  const { detection, format } = preview;
  const isTable = format === 'csv';
  const rows = ROWS.filter(({ key }) => key !== 'fee_mode' || detection.fee_mode.value !== null);
  return (
    <Section title="Understood as">
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
        <Setting term="Format" value={FORMATS[format] ?? format} />
        {preview.profile !== null && <Profile fields={item.fields} profile={preview.profile} change={change} />}
        {rows
          .filter(({ key }) => isTable || detection[key].value !== null)
          .map(({ key, ...row }) => (
            <Setting
              key={key}
              term={row.term}
              note={whyInWords(detection[key])}
              value={
                canBeSaid(detection[key], isTable) ? (
                  <OneReading field={key} row={row} item={item} detected={detection[key]} change={change} />
                ) : (
                  valueInWords(detection[key].value, row.words)
                )
              }
            />
          ))}
        <Currency fields={item.fields} detected={detection.currency} change={change} />
        {isTable && <Header fields={item.fields} detected={detection.header} change={change} />}
        <Pending detected={detection.pending} />
      </dl>
    </Section>
  );
}

interface SettingProps {
  term: string;
  value: ReactNode;
  /** How sure it is, and why. */
  note?: string;
}

function Setting({ term, value, note }: SettingProps) {
  return (
    <div className="min-w-0">
      <dt className="mb-1 font-medium">{term}</dt>
      <dd className="wrap-anywhere">
        {value}
        {note !== undefined && <p className="mt-1 text-sm text-muted">{note}</p>}
      </dd>
    </div>
  );
}

interface OneReadingProps {
  field: Key;
  row: Omit<(typeof ROWS)[number], 'key'>;
  item: PartProps['item'];
  detected: Detected;
  change: Change;
}

function OneReading({ field, row: { term, words, chosen }, item, detected, change }: OneReadingProps) {
  const values = new Set([...detected.candidates.map(({ value }) => value), ...chosen]);
  return (
    <Choice
      label={term}
      isLabelHidden
      value={item.fields[field]}
      none={saysItself(detected, words)}
      options={[...values].map((value) => ({ value, label: words[value] ?? value }))}
      onChange={(value) => change({ [field]: value })}
    />
  );
}

type Detected = Pick<Detections['sign'], 'value' | 'confidence' | 'evidence' | 'candidates'>;

/** What a format settles by itself is refused when it is sent. */
function canBeSaid({ confidence, candidates }: Detected, isTable: boolean): boolean {
  return isTable || candidates.length > 0 || confidence === 'given' || confidence === 'ambiguous';
}

function saysItself({ value, confidence }: Detected, words: Readonly<Record<string, string>>): string {
  if (confidence === 'given') return 'As the file says';
  return valueInWords(value, words);
}

function valueInWords(value: string | null, words: Readonly<Record<string, string>>): string {
  return value === null ? 'Not known' : (words[value] ?? value);
}

function whyInWords({ confidence, evidence }: Pick<Detected, 'confidence' | 'evidence'>): string {
  const why = evidence.flatMap((code) => EVIDENCE[code] ?? []);
  return why.length === 0 ? `${CONFIDENCE[confidence]}.` : `${CONFIDENCE[confidence]}: ${why.join(', ')}.`;
}

type Change = PartProps['change'];

interface ProfileProps {
  fields: Fields;
  profile: NonNullable<Preview['profile']>;
  change: Change;
}

function Profile({ fields, profile: { name, source }, change }: ProfileProps) {
  return (
    <Setting
      term="Profile"
      note={source === 'stored' ? 'Remembered from an earlier file.' : 'Built in for this bank.'}
      value={
        <Choice
          label="Profile"
          isLabelHidden
          value={fields.profile}
          none={name}
          options={[{ value: 'none', label: 'None: read it afresh' }]}
          onChange={(value) => change({ profile: value })}
        />
      }
    />
  );
}

interface CurrencyProps {
  fields: Fields;
  detected: Detections['currency'];
  change: Change;
}

function Currency({ fields, detected, change }: CurrencyProps) {
  const value = detected.value === 'per_row' ? 'Each row says it' : detected.value;
  const say = (typed: string): void => {
    const code = typed.trim() === '' ? undefined : typed.trim().toUpperCase();
    if (code !== fields.iso_currency_code) change({ iso_currency_code: code });
  };
  return (
    <Setting
      term="Currency"
      note={`${whyInWords(detected)} Three letters, such as EUR, where the file does not say it.`}
      value={
        <input
          aria-label="Currency"
          className="field target uppercase placeholder:normal-case"
          defaultValue={fields.iso_currency_code ?? ''}
          placeholder={value ?? 'Not known'}
          maxLength={3}
          autoComplete="off"
          data-may-be-lost
          onBlur={({ currentTarget }) => say(currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && say(event.currentTarget.value)}
        />
      }
    />
  );
}

interface HeaderProps {
  fields: Fields;
  detected: Detections['header'];
  change: Change;
}

const NONE = 'none';

function Header({ fields, detected: { value, candidates, ...why }, change }: HeaderProps) {
  const at = fields.header_line === undefined ? undefined : String(fields.header_line);
  const lines = [...new Set([...candidates.map((one) => one.value), ...(at === undefined ? [] : [at])])];
  const other =
    value === null ? { value: '1', label: 'On line 1' } : { value: NONE, label: 'None: every row is a transaction' };
  const say = (chosen: string | undefined): void => {
    const isNone = chosen === NONE;
    change({
      has_header: isNone ? false : undefined,
      header_line: isNone || chosen === undefined ? undefined : Number(chosen),
    });
  };
  return (
    <Setting
      term="Names of columns"
      note={whyInWords(why)}
      value={
        <Choice
          label="Names of columns"
          isLabelHidden
          value={fields.has_header === false ? NONE : at}
          none={value === null ? 'None' : `On line ${inDigits(value)}`}
          options={[...lines.map((line) => ({ value: line, label: `On line ${line}` })), other]}
          onChange={say}
        />
      }
    />
  );
}

function Pending({ detected }: { detected: Detections['pending'] }) {
  const { pending, ignored } = detected.value;
  if (pending + ignored === 0) return null;
  const parts = [
    ...(pending > 0 ? [`${counted(pending, 'row')} not booked yet`] : []),
    ...(ignored > 0 ? [`${counted(ignored, 'row')} that the bank has cancelled`] : []),
  ];
  return <Setting term="Not counted" value={parts.join(', ')} />;
}

import { DefinitionList, type Definition } from '../../components/definition-list.tsx';
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
      <DefinitionList
        items={[
          { term: 'Format', value: FORMATS[format] ?? format },
          ...(preview.profile === null ? [] : [profileOf(item.fields, preview.profile, change)]),
          ...rows
            .filter(({ key }) => isTable || detection[key].value !== null)
            .map(({ key, term, words, chosen }): Definition => ({
              term,
              value: canBeSaid(detection[key], isTable) ? (
                <Choice
                  label={term}
                  isLabelHidden
                  value={item.fields[key]}
                  none={saysItself(detection[key], words)}
                  options={[...new Set([...detection[key].candidates.map(({ value }) => value), ...chosen])].map(
                    (value) => ({
                      value,
                      label: words[value] ?? value,
                    }),
                  )}
                  onChange={(value) => change({ [key]: value })}
                />
              ) : (
                valueInWords(detection[key].value, words)
              ),
              note: whyInWords(detection[key]),
            })),
          currencyOf(item.fields, detection.currency, change),
          ...(isTable ? [headerOf(item.fields, detection.header, change)] : []),
          ...pendingOf(detection.pending),
        ]}
      />
    </Section>
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

function profileOf(fields: Fields, profile: NonNullable<Preview['profile']>, change: Change): Definition {
  const { name, source } = profile;
  return {
    term: 'Profile',
    value: (
      <Choice
        label="Profile"
        isLabelHidden
        value={fields.profile}
        none={name}
        options={[{ value: 'none', label: 'None: read it afresh' }]}
        onChange={(value) => change({ profile: value })}
      />
    ),
    note: source === 'stored' ? 'Remembered from an earlier file.' : 'Built in for this bank.',
  };
}

function currencyOf(fields: Fields, detected: Detections['currency'], change: Change): Definition {
  const value = detected.value === 'per_row' ? 'Each row says it' : detected.value;
  return {
    term: 'Currency',
    value: (
      <input
        aria-label="Currency"
        className="field target uppercase placeholder:normal-case"
        defaultValue={fields.iso_currency_code ?? ''}
        placeholder={value ?? 'Not known'}
        maxLength={3}
        autoComplete="off"
        data-may-be-lost
        onBlur={({ currentTarget }) => sayCurrency(currentTarget.value, fields, change)}
        onKeyDown={(event) => event.key === 'Enter' && sayCurrency(event.currentTarget.value, fields, change)}
      />
    ),
    note: `${whyInWords(detected)} Where the file does not say it, three letters such as EUR.`,
  };
}

function sayCurrency(typed: string, fields: Fields, change: Change): void {
  const code = typed.trim() === '' ? undefined : typed.trim().toUpperCase();
  if (code !== fields.iso_currency_code) change({ iso_currency_code: code });
}

function headerOf(fields: Fields, detected: Detections['header'], change: Change): Definition {
  const { value, candidates } = detected;
  const at = fields.header_line === undefined ? undefined : String(fields.header_line);
  const lines = [...new Set([...candidates.map((one) => one.value), ...(at === undefined ? [] : [at])])];
  return {
    term: 'Names of columns',
    value: (
      <Choice
        label="Names of columns"
        isLabelHidden
        value={fields.has_header === false ? 'none' : at}
        none={value === null ? 'None' : `On line ${inDigits(value)}`}
        options={[
          ...lines.map((line) => ({ value: line, label: `On line ${line}` })),
          ...(value === null
            ? [{ value: '1', label: 'On line 1' }]
            : [{ value: 'none', label: 'None: every row is a transaction' }]),
        ]}
        onChange={(chosen) => {
          const isNone = chosen === 'none';
          change({
            has_header: isNone ? false : undefined,
            header_line: isNone || chosen === undefined ? undefined : Number(chosen),
          });
        }}
      />
    ),
    note: whyInWords(detected),
  };
}

function pendingOf({ value: { pending, ignored } }: Detections['pending']): Definition[] {
  if (pending + ignored === 0) return [];
  const parts = [
    ...(pending > 0 ? [`${counted(pending, 'row')} not booked yet`] : []),
    ...(ignored > 0 ? [`${counted(ignored, 'row')} that the bank has cancelled`] : []),
  ];
  return [{ term: 'Not counted', value: parts.join(', ') }];
}

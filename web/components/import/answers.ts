import { inWords } from '../../lib/days.ts';
import { counted } from '../../lib/numbers.ts';
import type { Fields, QueuedFile } from './import-queue.ts';
import type { Preview } from './use-preview.ts';

type Blocker = Preview['blockers'][number];
type Candidate = Blocker['candidates'][number];

export interface Answer {
  label: string;
  hint?: string | undefined;
  /** The fields that say so. */
  change: Fields;
}

interface Known {
  item: QueuedFile;
  preview: Preview;
  /** The names that accounts of the household have. */
  names: readonly string[];
}

const MISSING = { date: 'Which column has the date?', amount: 'Which column has the amount?', other: undefined };
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The question in a household's words; undefined where the server's own say it best. */
export function titleOf({ code, parameter, candidates }: Blocker, preview: Preview): string | undefined {
  const [first] = candidates;
  const readings = candidates.map((one) => dayOr(one.read_as)).join(' or ');
  if (code === 'BALANCE_MISMATCH') return 'The amounts do not add up to the bank’s balance';
  if (code === 'WRONG_MAPPING') return MISSING[missingColumn(preview) ?? 'other'];
  if (parameter === 'account_id') return 'Which account is this?';
  if (parameter?.startsWith('accounts.') === true) return `Which account is “${parameter.slice('accounts.'.length)}”?`;
  if (!first) return undefined;
  if (parameter === 'date_format') return `Is ${first.raw} ${readings}?`;
  if (parameter === 'decimal_separator') return `Is ${first.raw} ${readings}?`;
  if (parameter === 'sign') return `Is ${first.raw} money spent, or money received?`;
  if (parameter === 'fee_mode') return 'Is a fee part of the amount beside it?';
  if (parameter === 'encoding') return 'Which of these looks right?';
  return undefined;
}

function dayOr(text: string): string {
  return DAY.test(text) ? inWords(text) : text;
}

/** What can be answered. None where the file needs more than one answer. */
export function answersOf(question: readonly Blocker[], known: Known): Answer[] {
  return question.flatMap((blocker) => {
    if (blocker.code === 'WRONG_MAPPING') return columnAnswers(blocker, known);
    const answers = blocker.candidates.map((candidate) => answerOf(blocker, candidate, known));
    return [...answers, ...othersThan(blocker, known)];
  });
}

function answerOf({ parameter: asked }: Blocker, candidate: Candidate, known: Known): Answer {
  const { value, raw, read_as: read } = candidate;
  const { fields } = known.item;
  const parameter = asked ?? '';
  switch (parameter) {
    case 'account_id':
      return { label: raw, hint: standInWords(read), change: { account_id: value } };
    case 'date_format':
      return { label: dayOr(read), hint: orderInWords(value), change: { date_format: value } };
    case 'sign': {
      const proves = known.preview.balance_proof.proves_with.some(
        (one) => one.parameter === 'sign' && one.value === value,
      );
      const hint = proves ? 'Then the amounts add up to the bank’s balance.' : undefined;
      return {
        label: read === 'money out' ? 'Money spent' : 'Money received',
        hint,
        change: { sign: value } as Fields,
      };
    }
    case 'column_mapping':
      return { label: read, hint: raw, change: { column_mapping: { ...fields.column_mapping, ...mappingIn(value) } } };
    case 'column_mapping.amount':
      return { label: value, hint: read, change: { column_mapping: { ...fields.column_mapping, amount: value } } };
    case 'account_type':
    case 'iso_currency_code':
      return {
        label: `It belongs to ${raw} all the same`,
        hint: `${wordOf(parameter)}: ${value}`,
        change: { [parameter]: value },
      };
    default:
      if (parameter.startsWith('accounts.')) {
        return { label: raw, hint: standInWords(read), change: inAccounts(known, parameter, value) };
      }
      return { label: sentence(read), hint: raw === read ? undefined : raw, change: { [parameter]: value } };
  }
}

/** The column that nobody has found: first that of the dates, then that of the amounts. */
export function missingColumn({ mapping }: Preview): 'date' | 'amount' | undefined {
  if (!('date' in mapping)) return 'date';
  return ['amount', 'debit', 'credit'].some((field) => field in mapping) ? undefined : 'amount';
}

function columnAnswers({ candidates }: Blocker, { item: { fields }, preview }: Known): Answer[] {
  const missing = missingColumn(preview);
  if (missing === undefined) return [];
  const fitting = candidates.filter(({ read_as: read }) => read.includes(missing));
  return (fitting.length > 0 ? fitting : candidates).map(({ value, raw }) => ({
    label: value,
    hint: `Such as ${raw}`,
    change: { column_mapping: { ...fields.column_mapping, [missing]: value } },
  }));
}

/** The mapping that is a candidate as a whole; a name of a column is none. */
function mappingIn(text: string): NonNullable<Fields['column_mapping']> {
  return text.startsWith('{') ? (JSON.parse(text) as NonNullable<Fields['column_mapping']>) : {};
}

function wordOf(parameter: string): string {
  return parameter === 'account_type' ? 'as' : 'with amounts in';
}

/** "last row 2026-04-16, differs: it has other rows on the same days", as people would say it. */
function standInWords(read: string): string {
  const words = read
    .replace(/last row (\d{4}-\d{2}-\d{2})/, (_whole, day: string) => `last transaction ${inWords(day)}`)
    .replace(/\b(meets|differs|open): /, '');
  return sentence(words);
}

function orderInWords(format: string): string {
  const first = { D: 'day', M: 'month', Y: 'year' }[format.charAt(0)] ?? format;
  return `The ${first} comes first`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Answers that no candidate stands for. */
function othersThan({ code, parameter }: Blocker, known: Known): Answer[] {
  const { preview, names } = known;
  if (parameter === 'account_id') return [newAccount({ account_name: freeName(names, known.item.file.name) })];
  if (parameter?.startsWith('accounts.') === true) {
    const value = parameter.slice('accounts.'.length);
    return [
      newAccount(inAccounts(known, parameter, { name: freeName(names, value) })),
      { label: 'Leave its rows out', change: inAccounts(known, parameter, null) },
    ];
  }
  if (code === 'INVALID_ROWS' && parameter === 'skip_invalid') {
    const { invalid } = preview.counts;
    const hint = 'They are listed with the import. The other rows are imported.';
    return [{ label: `Leave out ${counted(invalid, 'unreadable row')}`, hint, change: { skip_invalid: true } }];
  }
  return code === 'BALANCE_MISMATCH' ? proofAnswers(preview) : [];
}

/** The reading that would prove comes first; to import anyway is a choice of its own. */
function proofAnswers({ balance_proof: proof }: Preview): Answer[] {
  const other = Object.fromEntries(proof.proves_with.map(({ parameter, value }) => [parameter, value])) as Fields;
  const words = proof.proves_with.map(({ parameter, value }) => readingInWords(parameter, value)).join(' and ');
  const anyway = {
    label: 'Import anyway',
    hint: 'The rows are written as the file has them. Choose this if you know the reason; otherwise download the file again.',
    change: { accept_unproved: true },
  };
  return words === ''
    ? [anyway]
    : [{ label: 'Read it so that it adds up', hint: sentence(words), change: other }, anyway];
}

const READINGS: Readonly<Record<string, string>> = {
  'sign=positive_is_out': 'amounts without a minus sign are money spent',
  'sign=positive_is_in': 'amounts without a minus sign are money received',
  'decimal_separator=,': 'there is a comma before the cents',
  'decimal_separator=.': 'there is a point before the cents',
  'fee_mode=separate': 'fees are charged on top of the amounts',
  'fee_mode=included': 'fees are part of the amounts',
  'account_type=credit': 'this is a credit card or loan account',
};

export function readingInWords(parameter: string, value: string): string {
  return READINGS[`${parameter}=${value}`] ?? `${parameter.replaceAll('_', ' ')} is ${value}`;
}

function newAccount(change: Fields): Answer {
  return { label: 'A new account', hint: 'It is added together with the file.', change };
}

function inAccounts({ item: { fields } }: Known, parameter: string, choice: AccountChoice): Fields {
  return { accounts: { ...fields.accounts, [parameter.slice('accounts.'.length)]: choice } };
}

type AccountChoice = NonNullable<Fields['accounts']>[string];

/** A name that no account has: one that some account has would choose that account (36.4). */
export function freeName(names: readonly string[], wanted: string): string {
  const base = wanted.replace(/\.[^.]*$/, '').trim() || 'New account';
  const taken = new Set(names.map((name) => name.trim().toLowerCase()));
  let name = base;
  for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${base} ${n}`;
  return name;
}

import { LIMITS } from '../../../../kernel/limits.ts';
import { readDate } from './camt-dates.ts';
import { texts, typeCodeOf } from './camt-details.ts';
import type { CamtDetail, Party } from './camt-details.ts';
import type { CamtNode } from './camt-node.ts';
import { currencyOf } from '../../lexicon/currency.ts';
import { bankIdOf, collapsed, quotedCell } from '../../text/cell-text.ts';
import { readAmount } from '../statement-amounts.ts';
import type { AmountReading } from '../statement-amounts.ts';
import type { StatementEntry } from '../statement.ts';

const DETAILS_DESCRIBED = 10;

/** The account of the entries, to tell it from the other side. */
interface OwnSide {
  readonly identifier: string | null;
  readonly owner: string;
}

interface CamtEntry {
  /** Bank ids come from AcctSvcrRef. */
  readonly rows: readonly StatementEntry[];
  /** The ids that NtryRef gives to the rows, for files without AcctSvcrRef. */
  readonly entryIds: readonly (string | null)[];
  readonly hasUnknownStatus: boolean;
}

/** The rows of an Ntry: one, or one for each of several details whose amounts add up to it (36.14.3). */
export function readEntry(node: CamtNode, details: readonly CamtDetail[], line: number, own: OwnSide): CamtEntry {
  const amount = node.find('Amt');
  const statedCurrency = amount?.attributes['Ccy']?.trim() ?? '';
  const currency = currencyOf(statedCurrency) ?? null;
  const mark = node.first('CdtDbtInd');
  const read = signed(amount ? readAmount(amount.text, '.') : readAmount('', '.'), mark);
  const booked = readDate(node.find('BookgDt')) ?? readDate(node.find('ValDt'));
  const status = statusOf(node.first('Sts/Cd', 'Sts/Prtry', 'Sts'));
  const servicer =
    node.first('AcctSvcrRef') || (details.length === 1 ? (details[0] as CamtDetail).servicerReference : '');
  const problem = problemOf(booked, read) ?? (currency === null ? currencyProblem(statedCurrency) : null);
  const isReversal = node.first('RvslInd') === 'true' || node.first('RvslInd') === '1';
  const base = {
    line,
    part: 1,
    outcome: problem ? ('invalid' as const) : ('row' as const),
    reason: problem?.reason ?? null,
    message: problem?.message ?? null,
    status: status ?? 'posted',
    date: booked?.date ?? null,
    authorized_date: null,
    datetime: booked?.datetime ?? null,
    iso_currency_code: currency,
    category: null,
    correction: null,
  };
  const entryText = texts(node, 'AddtlNtryInf');
  const fields = node.flatten(LIMITS.importEntryFieldChars);
  const rowFor = (detail: CamtDetail | null, part: number, cents: number | null, id: string): StatementEntry => {
    const other = detail ? otherSide(detail, cents ?? 0, isReversal || detail.isReturn, own) : NOBODY;
    return {
      ...base,
      part,
      amount_cents: cents,
      description: detail?.text || entryText,
      merchant_name: other.name || null,
      type: typeCodeOf(node) || detail?.typeCode || null,
      bank_id: bankIdOf(id),
      check_number: detail?.checkNumber || null,
      counterparty_account: other.account || null,
      fields: detail ? { ...fields, ...detail.fields } : fields,
    };
  };
  const reference = entryReference(node);
  const hasUnknownStatus = status === null;
  const parts = read.cents === null ? null : partsOf(details, read.cents, currency ?? '');
  if (!parts) {
    const detail = details.length === 1 ? (details[0] as CamtDetail) : summaryOf(details, entryText);
    return { rows: [rowFor(detail, 1, read.cents, servicer)], entryIds: [reference], hasUnknownStatus };
  }
  const isNamed = bankIdOf(servicer) !== null;
  const rows = details.map((detail, i) =>
    rowFor(detail, i + 1, parts[i] as number, isNamed ? `${servicer}/${i + 1}` : detail.servicerReference),
  );
  const entryIds = details.map((_, i) => (reference === null ? null : `${reference}/${i + 1}`));
  return { rows, entryIds, hasUnknownStatus };
}

const NOBODY: Party = { name: '', account: '' };

/** The amounts of several details in our sign, when each has one and they add up to the entry; else null. */
function partsOf(details: readonly CamtDetail[], cents: number, currency: string): number[] | null {
  if (details.length < 2) return null;
  const parts: number[] = [];
  let sum = 0;
  for (const { amounts, mark } of details) {
    const amount = amounts.find((one) => one.currency === currency);
    if (!amount) return null;
    const isOut = mark === '' ? cents > 0 : mark === 'DBIT';
    parts.push(isOut ? amount.cents : 0 - amount.cents);
    sum += parts.at(-1) as number;
  }
  return sum === cents ? parts : null;
}

/** Details that do not add up describe one row together. */
function summaryOf(details: readonly CamtDetail[], entryText: string): CamtDetail | null {
  const [first] = details;
  if (!first) return null;
  const distinct = new Set(details.slice(0, DETAILS_DESCRIBED).map((detail) => detail.text));
  const isOne = (side: 'creditor' | 'debtor'): boolean =>
    details.every((detail) => detail[side].name === first[side].name && detail[side].account === first[side].account);
  return {
    ...first,
    text: entryText === '' ? collapsed([...distinct].join(' ')) : entryText,
    creditor: isOne('creditor') ? first.creditor : NOBODY,
    debtor: isOne('debtor') ? first.debtor : NOBODY,
    fields: {},
  };
}

/** The creditor of money out, the debtor of money in; of money that comes back, the one it once went to. */
function otherSide(detail: CamtDetail, cents: number, isReturned: boolean, own: OwnSide): Party {
  const [likely, other] = cents > 0 ? [detail.creditor, detail.debtor] : [detail.debtor, detail.creditor];
  if (!isReturned) return likely;
  const isSelf = (party: Party): boolean =>
    party.name === '' || party.account === own.identifier || (own.owner !== '' && party.name === own.owner);
  return isSelf(likely) && !isSelf(other) ? other : likely;
}

/** A plain small number only counts the entries of one statement, so it identifies nothing. */
function entryReference(node: CamtNode): string | null {
  const reference = bankIdOf(node.first('NtryRef'));
  return reference === null || /^\d{1,5}$/.test(reference) ? null : reference;
}

function signed(amount: AmountReading, mark: string): AmountReading {
  if (amount.cents === null || mark === 'DBIT') return amount;
  if (mark === 'CRDT') return { cents: 0 - amount.cents, reason: null };
  const message = 'the entry does not say whether it is money in or out';
  return { cents: null, reason: 'DIRECTION_UNKNOWN', message };
}

function problemOf(
  booked: { date: string | null } | null,
  amount: AmountReading,
): { reason: string; message: string } | null {
  if (booked === null)
    return { reason: 'DATE_MISSING', message: 'the entry has neither a booking date nor a value date' };
  if (booked.date === null) return { reason: 'DATE_INVALID', message: 'the booking date of the entry is not a date' };
  return amount.cents === null ? amount : null;
}

function currencyProblem(stated: string): { reason: string; message: string } | null {
  return stated === '' ? null : { reason: 'CURRENCY_INVALID', message: `${quotedCell(stated)} is not a currency` };
}

/** null for an unknown status word, which counts as posted. */
function statusOf(word: string): StatementEntry['status'] | null {
  switch (word.toUpperCase()) {
    case '':
    case 'BOOK':
      return 'posted';
    case 'PDNG':
      return 'pending';
    case 'INFO':
    case 'FUTR':
      return 'ignored';
    default:
      return null;
  }
}

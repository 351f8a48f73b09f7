import { normalisedText } from '../text/cell-text.ts';
import { DATE_MEANINGS, isInSeveralCurrencies, saysMore } from './claims-by-name.ts';
import { amountByContent } from './amount-by-content.ts';
import { AMOUNT_GROUP } from './column-choice.ts';
import type { ColumnClaims } from './column-claims.ts';
import { isDateColumn, isNumberColumn, isNumberColumnByName } from './column-stats.ts';
import type { ColumnStats } from './column-stats.ts';
import { isKindOfMovement } from '../lexicon/lexicon.ts';
import { namesCardUse, namesOtherMoney } from '../lexicon/synonyms.ts';
import { IGNORED, PENDING, statusOf, UNKNOWN_STATUS } from '../lexicon/statuses.ts';

export function claimDateByContent(claims: ColumnClaims): void {
  if (!claims.isOpen('date')) return;
  const column = claims.firstFree((stats) => isDateColumn(stats)) ?? claims.bestRegardless(DATE_MEANINGS);
  if (column !== undefined) claims.claim('date', [column], 'likely', 'content');
}

/** Claims the amount by the content of the columns; else those named as money out and in, whatever their content. */
export function claimAmountByContent(claims: ColumnClaims): void {
  const hasAmount = AMOUNT_GROUP.some((field) => field !== 'fee' && field !== 'direction' && claims.mapping.has(field));
  if (hasAmount || claims.isClosed('amount')) return;
  const column = isInSeveralCurrencies(claims)
    ? undefined
    : (amountByContent(claims) ?? claims.bestRegardless(['amount']));
  if (column !== undefined) return claims.claim('amount', [column], 'likely', 'content');
  for (const field of ['debit', 'credit'] as const) {
    const half = claims.bestRegardless([field]);
    if (half !== undefined && !claims.isClosed(field)) claims.claim(field, [half], 'likely', 'header');
  }
}

/** Beside a lone column of money out or in: the one column of numbers that is filled exactly where that is empty. */
export function claimOtherHalf(claims: ColumnClaims): void {
  const [known, missing] = claims.mapping.has('debit')
    ? (['debit', 'credit'] as const)
    : (['credit', 'debit'] as const);
  const half = claims.columnOf(known);
  if (!half || !claims.isOpen(missing) || !claims.isOpen('amount')) return;
  const found = claims.free((column, i) => {
    const isRest = column.filled > 0 && column.filled + half.filled <= claims.completeRecords;
    const isWhole = column.filled + half.filled >= claims.completeRecords * 0.9;
    return claims.isNameless(i) && isRest && isWhole && isNumberColumn(column);
  });
  if (found.length === 1) claims.claim(missing, found, 'likely', 'content');
}

/** Releases a lone column of money out or in with 0.00 where the money went the other way, into a column not known. */
export function releaseZeroHalf(claims: ColumnClaims): void {
  const field = claims.mapping.has('debit') ? 'debit' : 'credit';
  const other = field === 'debit' ? 'credit' : 'debit';
  const half = claims.columnOf(field);
  if (!half || claims.mapping.get(field)?.source !== 'header') return;
  if (claims.mapping.has(other) || claims.mapping.has('amount')) return;
  if (namesCardUse(claims.table.headers[claims.indexOf(field) ?? -1] ?? '')) return;
  const rivals = claims.free(
    (column, i) =>
      claims.isNameless(i) &&
      !namesOtherMoney(claims.table.headers[i] ?? '') &&
      !namesNumber(claims.table.headers[i] ?? '') &&
      isNumberColumnByName(column) &&
      column.sampleValues.size > 1,
  );
  if ((half.zeros + half.dashes > 0 || half.filled >= claims.completeRecords) && rivals.length > 0)
    claims.release(field);
}

/** Columns without any name that hold currency codes: the only one, or several that all hold the same. */
export function claimCurrencyByContent(claims: ColumnClaims): void {
  if (!claims.isOpen('currency')) return;
  const { headerLine, headers } = claims.table;
  const found = claims.free((column, i) => {
    const hasNoName = headerLine === null || (headers[i] ?? '').trim() === '';
    const isFilled = column.filled > 0 && column.filled >= claims.completeRecords * 0.9;
    return hasNoName && isFilled && column.currencies >= column.filled * 0.9;
  });
  const values = new Set(found.flatMap((i) => [...(claims.columns[i] as ColumnStats).sampleValues]));
  if (values.size === 1 || found.length === 1) claims.claim('currency', found.slice(0, 1), 'likely', 'content');
}

/** A column that nobody knows by name and that holds only words for states, one of which keeps rows out. */
export function claimStatusByContent(claims: ColumnClaims): void {
  if (!claims.isOpen('status')) return;
  const found = claims.firstFree(({ words, filled }, i) => {
    if (words === null || words.size === 0 || !claims.isNameless(i)) return false;
    const states = [...words.keys()].map((word) => statusOf(word, false));
    const isMost = filled * 2 >= claims.completeRecords;
    return isMost && !states.includes(UNKNOWN_STATUS) && (states.includes(PENDING) || states.includes(IGNORED));
  });
  if (found !== undefined) claims.claim('status', [found], 'likely', 'content');
}

/** A column without any name whose every word is a kind of movement, beside texts. */
export function claimTypeByContent(claims: ColumnClaims): void {
  if (!claims.isOpen('type') || claims.table.headerLine !== null) return;
  const found = claims.firstFree(({ words, filled, letters }) => {
    const isWhole = filled > 0 && filled >= claims.completeRecords * 0.9 && letters === filled;
    return isWhole && words !== null && words.size > 1 && [...words.keys()].every(isKindOfMovement);
  });
  const isText = (column: ColumnStats, i: number): boolean => i !== found && !claims.isClaimed(i) && holdsWords(column);
  if (found !== undefined && claims.columns.some(isText)) claims.claim('type', [found], 'likely', 'content');
}

/** Claims the column that says most about the rows, or the notes if no other column is named as a text. */
export function claimDescriptionByContent(claims: ColumnClaims): void {
  if (!claims.isOpen('description')) return;
  const merchant = claims.columnOf('merchant_name');
  const least = merchant?.variety ?? 1;
  const notes = merchant || claims.mapping.get('notes')?.source !== 'header' ? undefined : claims.indexOf('notes');
  const best = mostTelling(
    claims.columns,
    (column, index) =>
      (!claims.isClaimed(index) || index === notes) &&
      !namesPlace(claims.table.headers[index] ?? '') &&
      column.variety >= least &&
      column.currencies <= column.filled / 2 &&
      !(merchant && holdsCodes(column)),
  );
  if (best === undefined) return;
  const type = claims.mapping.get('type')?.source === 'header' ? claims.indexOf('type') : undefined;
  const isLess = (kinds: number): boolean =>
    (isConstant(claims, best) && !isConstant(claims, kinds)) ||
    saysMore(claims.columns[kinds] as ColumnStats, claims.columns[best] as ColumnStats);
  if (type !== undefined && isLess(type)) {
    claims.release('type');
    return claims.claim('description', [type], 'likely', 'content');
  }
  if (best === notes) claims.release('notes');
  claims.claim('description', [best], 'likely', 'content');
}

function isConstant({ columns }: ColumnClaims, index: number): boolean {
  const { sampleValues, filled } = columns[index] as ColumnStats;
  return sampleValues.size < 2 && filled > 1;
}

/**
 * The column that says most about the rows: the greatest variety of texts, but words before codes, and either before
 * a text that never changes. Masked numbers (`**** 1234`) say nothing.
 */
function mostTelling(
  columns: readonly ColumnStats[],
  isFree: (column: ColumnStats, index: number) => boolean,
): number | undefined {
  let best: number | undefined;
  let bestRank: readonly number[] = [];
  columns.forEach((column, index) => {
    if (!isFree(column, index) || !holdsWords(column)) return;
    const rank = [column.sampleValues.size < 2 && column.filled > 1 ? 0 : holdsCodes(column) ? 1 : 2, column.variety];
    if (best !== undefined && !isHigher(rank, bestRank)) return;
    best = index;
    bestRank = rank;
  });
  return best;
}

/** A place does not say what happened. */
function namesPlace(header: string): boolean {
  return /\b(?:city|town|state|county|country|location|postcode|zip|ort|land|plaats|ville|pays|ciudad|kraj)\b/.test(
    normalisedText(header),
  );
}

/** A number that stands for something is no money. */
function namesNumber(header: string): boolean {
  return /\b(?:no|nr|number|id)\b|番号|번호|编号|編號/i.test(header.normalize('NFKC'));
}

function holdsWords({ sampleValues }: ColumnStats): boolean {
  return [...sampleValues].some((cell) => /\p{L}/u.test(cell));
}

/** Short words or codes in capitals, which say nothing by themselves. */
function holdsCodes({ sampleValues }: ColumnStats): boolean {
  return [...sampleValues].every((cell) => /^(?:\S{1,5}|[A-Z0-9_-]{6,})$/.test(cell));
}

function isHigher(rank: readonly number[], than: readonly number[]): boolean {
  for (let i = 0; i < rank.length; i++) {
    if (rank[i] !== than[i]) return (rank[i] as number) > (than[i] as number);
  }
  return false;
}

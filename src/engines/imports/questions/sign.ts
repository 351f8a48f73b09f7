import type { Detection, DetectionCandidate, SignConvention } from '../analysis.ts';
import { readUnder } from '../interpret/interpretations.ts';
import type { Interpretation } from '../interpret/interpretations.ts';
import { ledgerSign } from '../proof/ledger-overlap.ts';
import { directionPair, isLoosePair, isReversal } from '../lexicon/lexicon.ts';
import type { ParsedFile } from './parse-file.ts';
import { namesCard, namesCardholder, namesForeignPrice, namesPlace } from '../lexicon/synonyms.ts';
import { KIND } from '../columns/parsed-columns.ts';
import type { ParsedAmounts, ParsedColumns } from '../columns/parsed-columns.ts';
import { settle } from '../question.ts';
import { signOfOtherColumns } from './sign-of-columns.ts';
import { countSigns, SIGN, wordEvidence } from './sign-tests.ts';
import type { SignFacts } from './sign-tests.ts';

const OUT_NEGATIVE = 'positive_is_in';
const OUT_POSITIVE = 'positive_is_out';

export interface SignChoice {
  readonly sign: SignConvention;
  readonly detection: Detection;
  /** Codes of warnings that follow from the decision. */
  readonly contradicts: readonly ('SIGN_CONTRADICTS_BALANCE' | 'SIGN_CONTRADICTS_LEDGER')[];
  /** True when the account type would decide as well. */
  readonly asksAccountType: boolean;
}

/** The sign of the file in whichever way it is written: by column, by word, or by a convention that is decided. */
export function decideSignOf(
  file: ParsedFile,
  chosen: Omit<Interpretation, 'sign'>,
  proved: SignConvention | null,
): SignChoice {
  const { parsed, statement, mode } = file;
  if (mode.mode === 'direction')
    return settled(OUT_POSITIVE, { value: 'direction', confidence: 'certain', evidence: ['direction_words'] });
  const amounts = parsed.amounts.find((one) => one.decimal === chosen.decimal) as ParsedAmounts;
  if (mode.mode === 'pair') return signOfPair(file, amounts, proved);
  return signOfConvention(file, amounts, {
    given: file.givenSign,
    proved,
    isAccountKnown: statement.isAccountKnown,
    isCreditAccount: statement.isCreditAccount,
    isOfCards: isOfCards(file.input),
    ledger: signOfLedger(file, chosen),
    columns: signOfOtherColumns(file.input, chosen.decimal),
    profile: statement.sign,
    others: statement.others.signs,
    hasOwnDirections: hasOwnDirections(file),
    counts: countSigns(parsed, amounts),
    words: wordEvidence(parsed, amounts),
    hasRefunds: hasRefunds(file),
  });
}

/** Whether the file says of most rows with which card, or by whose, they were paid, or where and in which currency. */
function isOfCards({ table, stats }: ParsedFile['input']): boolean {
  if (table.headers.some(namesPlace) && table.headers.some(namesForeignPrice)) return true;
  return table.headers.some((name, i) => {
    const filled = stats.columns[i]?.filled ?? 0;
    return namesCardholder(name) || (namesCard(name) && filled * 3 >= stats.completeRecords * 2);
  });
}

function signOfLedger(
  { input, plan, interpretationContext }: ParsedFile,
  chosen: Omit<Interpretation, 'sign'>,
): SignConvention | null {
  const { account } = input.context;
  return account && ledgerSign(plan, readUnder(interpretationContext, { ...chosen, sign: OUT_POSITIVE }), account);
}

/** The convention of one column of amounts with and without a minus (36.5.7). */
function signOfConvention({ parsed }: ParsedFile, amounts: ParsedAmounts, facts: SignFacts): SignChoice {
  const { values, confidence, evidence } = settle(SIGN, facts);
  const sign = values[0] as SignConvention;
  if (confidence === 'ambiguous') {
    const candidates = candidatesOf(parsed, amounts, sign);
    const asksAccountType = evidence.includes('balance_proof');
    return { sign, detection: { value: sign, confidence, evidence, candidates }, contradicts: [], asksAccountType };
  }
  const all = facts.counts.negative > 0 ? [...evidence, 'negative_values'] : evidence;
  return { ...settled(sign, { value: sign, confidence, evidence: all }), contradicts: contradictedBy(facts) };
}

/** What the caller's choice goes against. Balances do only where it is known whether they count money owned or owed. */
function contradictedBy({ given, proved, ledger, isAccountKnown }: SignFacts): SignChoice['contradicts'] {
  if (!given) return [];
  return [
    ...(isAccountKnown && proved && proved !== given ? (['SIGN_CONTRADICTS_BALANCE'] as const) : []),
    ...(ledger && ledger !== given ? (['SIGN_CONTRADICTS_LEDGER'] as const) : []),
  ];
}

function settled(sign: SignConvention, detection: Omit<Detection, 'candidates'>): SignChoice {
  return { sign, detection: { ...detection, candidates: [] }, contradicts: [], asksAccountType: false };
}

/** Two columns say out and in themselves, unless as many of their amounts have a minus as have none. */
function signOfPair(
  { parsed, isTied, givenSign }: ParsedFile,
  amounts: ParsedAmounts,
  proved: SignConvention | null,
): SignChoice {
  const value = 'debit_credit';
  if (!isTied) return settled(OUT_POSITIVE, { value, confidence: 'certain', evidence: ['header_names'] });
  if (proved) return settled(proved, { value, confidence: 'proved', evidence: ['balance_proof'] });
  if (givenSign) return settled(givenSign, { value, confidence: 'given', evidence: ['parameter'] });
  const candidates = candidatesOf(parsed, amounts, OUT_POSITIVE);
  const asked = settled(OUT_POSITIVE, { value, confidence: 'ambiguous', evidence: ['content'] });
  return { ...asked, detection: { ...asked.detection, candidates } };
}

/** Words in a column that is named as the direction, a pair of them in another, or suffixes of the amounts. */
function hasOwnDirections({ input: { stats, mapping }, plan }: ParsedFile): boolean {
  const { columns } = stats;
  const named = columns[mapping.get('direction')?.columns[0] ?? -1]?.words?.size ?? 0;
  if (named > 1 || (columns[plan.amount]?.withDirection ?? 0) > 0) return true;
  const type = mapping.get('type')?.columns[0];
  const taken = new Set([...mapping].flatMap(([field, { columns: its }]) => (field === 'type' ? [] : its)));
  return columns.some(({ words }, index) => {
    const pair = words?.size === 2 && !taken.has(index) ? directionPair(words.keys()) : undefined;
    return pair !== undefined && (!isLoosePair(pair) || index === type);
  });
}

function hasRefunds({ input: { stats, mapping } }: ParsedFile): boolean {
  const types = stats.columns[mapping.get('type')?.columns[0] ?? -1]?.words;
  return [...(types?.keys() ?? [])].some(isReversal);
}

/** Both conventions shown on the first row with an amount. */
function candidatesOf(parsed: ParsedColumns, amounts: ParsedAmounts, first: SignConvention): DetectionCandidate[] {
  const values: Float64Array = amounts.amount.length > 0 ? amounts.amount : amounts.debit;
  let row = 0;
  while (row < parsed.count && !(parsed.kinds[row] === KIND.row && Math.abs(values[row] as number) > 0)) row++;
  if (row === parsed.count) return [];
  const cents = values[row] as number;
  const raw = (cents / 100).toFixed(2);
  const shown = (value: SignConvention): DetectionCandidate => ({
    value,
    line: parsed.lines[row] as number,
    raw,
    read_as: (value === OUT_POSITIVE ? cents > 0 : cents < 0) ? 'money out' : 'money in',
  });
  return [shown(first), shown(first === OUT_POSITIVE ? OUT_NEGATIVE : OUT_POSITIVE)];
}

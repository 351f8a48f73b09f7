import type { AccountInFile, Confidence } from '../../../engines/imports/analysis.ts';
import type { AppError } from '../../../kernel/errors.ts';
import {
  compareWithBanks,
  compareWithFile,
  selectPastTargets,
  type PastTarget,
  type ComparedAccount,
} from './account-candidates.ts';
import { isNamedSo, rememberedPlaces, valueKey } from './remembered-places.ts';
import { withoutOtherNumber, type TargetInput } from './target-account.ts';
import { ofAnotherMember, whichAccount, type Choice } from './target-errors.ts';
import { selectAccounts, type AccountRow } from './targets.queries.ts';

/** How the account of a file was found, in the words of `detection.account` (36.9.2). */
interface HowFound {
  readonly confidence: Confidence;
  readonly evidence: readonly string[];
  /** Found from this file or an earlier one, not from the request. */
  readonly suggested: boolean;
}

export interface Found extends HowFound {
  readonly account: AccountRow | null;
  /** Reported by a preview; refuses an import. */
  readonly conflict: AppError | null;
  /** A new account, even though files with this header were imported before. */
  readonly isKnownFormat: boolean;
}

const BY_REQUEST = { evidence: ['parameter'], suggested: false, account: null, conflict: null, isKnownFormat: false };
const BY_FILE = { ...BY_REQUEST, confidence: 'certain', suggested: true } as const;

export const FOUND = {
  given: { ...BY_REQUEST, confidence: 'given' },
  named: { ...BY_REQUEST, confidence: 'certain' },
  export: { ...BY_FILE, evidence: ['content'] },
  number: { ...BY_FILE, evidence: ['content'] },
  numberAndRows: { ...BY_FILE, evidence: ['content', 'ledger_overlap'] },
  file: { ...BY_FILE, evidence: ['content', 'header_names'] },
  undone: { ...BY_FILE, confidence: 'assumed', evidence: ['content', 'header_names'] },
  rows: { ...BY_FILE, evidence: ['header_names', 'ledger_overlap'] },
  balances: { ...BY_FILE, evidence: ['header_names', 'balance_proof'] },
  assumed: { ...BY_FILE, confidence: 'assumed', evidence: ['header_names', 'default'] },
  bank: { ...BY_FILE, evidence: ['ledger_overlap'] },
  open: { ...BY_FILE, confidence: 'ambiguous', evidence: ['header_names'], suggested: false },
  none: { ...BY_REQUEST, confidence: 'none', evidence: ['default'] },
} as const satisfies Record<string, Found>;

const LIKE_OTHERS = 'Earlier files with these columns do not show clearly which account this file belongs to.';

/** Rules 7 and 8 of 36.4: without a word about the account, earlier imports decide where the file goes. */
export async function chooseAlike(input: TargetInput, inFile: AccountInFile, hash: string | null): Promise<Found> {
  const { tx, analysis, given } = input;
  const { stated, implied } = given.membership;
  const alike = await selectPastTargets(tx, analysis, input);
  const isKnownFormat = analysis.header_signature !== null && alike.length > 0;
  const held = await compareAll(input, inFile, hash, alike);
  const isOf = ({ account }: ComparedAccount, memberId: string): boolean =>
    account.owner_id === null || account.owner_id === memberId;
  if (stated) {
    const own = held.filter((one) => isOf(one, stated.id));
    const chosen = chooseCompared(own);
    if (chosen) return chosen;
    const theirs = held.find((one) => one.stand === 'meets' && !own.includes(one));
    if (theirs)
      return {
        ...FOUND.open,
        account: theirs.account,
        conflict: ofAnotherMember(theirs.account, stated, { isNumbered: false }),
      };
    if (own.length > 0) return askWhich(input, own);
    return { ...(await fromBanks(input, inFile, stated.id)), isKnownFormat };
  }
  const chosen = chooseCompared(held) ?? (implied ? chooseCompared(held.filter((one) => isOf(one, implied.id))) : null);
  if (chosen) return chosen;
  const open =
    implied && !held.some(({ stand }) => stand === 'meets') ? held.filter((one) => isOf(one, implied.id)) : held;
  if (open.length > 0) return askWhich(input, open);
  return { ...(await fromBanks(input, inFile, implied?.id ?? null)), isKnownFormat };
}

/** Rule 5 of 36.4: in a connection with several accounts, those that files with this header went to are compared. */
export async function chooseWithin(
  input: TargetInput,
  inFile: AccountInFile,
  accounts: readonly AccountRow[],
): Promise<Found> {
  const known = await selectPastTargets(input.tx, input.analysis, input);
  const alike = known.filter(({ account }) => accounts.some(({ id }) => id === account.id));
  const held = await compareAll(input, inFile, null, alike);
  const chosen = chooseCompared(held);
  if (chosen)
    return { ...chosen, evidence: ['stored_profile', ...chosen.evidence.filter((one) => one !== 'header_names')] };
  const choices = accounts.map(
    (account): Choice => held.find((one) => one.account.id === account.id) ?? { account, stand: null, lastDate: null },
  );
  const conflict = whichAccount(
    'The connection has several accounts, and nothing shows which one this file belongs to.',
    choices,
    null,
  );
  return { ...FOUND.open, account: accounts[0] as AccountRow, conflict };
}

async function compareAll(
  input: TargetInput,
  inFile: AccountInFile,
  hash: string | null,
  alike: readonly PastTarget[],
): Promise<ComparedAccount[]> {
  const { tx, readFor } = input;
  const accounts = await withoutOtherNumber(
    tx,
    alike.map(({ account }) => account),
    hash,
  );
  const mayBe = alike.filter(({ account, isSameFile }) => isSameFile || accounts.includes(account));
  const same = mayBe.filter(({ isSameFile }) => isSameFile);
  const places = await rememberedPlaces(input);
  const key = valueKey(inFile, input.numberKey);
  // The same file goes where it went before, however similar other accounts are.
  const toHold = same.length === 1 ? same : mayBe;
  const held: ComparedAccount[] = [];
  for (const one of toHold) {
    const stands = await compareWithFile(tx, one, await readFor(one.account), inFile);
    held.push({ ...stands, isNamedSo: one.isSameFile ? null : isNamedSo(key, one.account, places) });
  }
  return held;
}

/**
 * The only account whose rows match the file, otherwise the only one that nothing contradicts. Accounts that the file
 * names come first; one that earlier files called something else is never chosen for its rows.
 */
export function chooseCompared(all: readonly ComparedAccount[]): Found | null {
  const namesakes = all.filter(({ isNamedSo }) => isNamedSo === true);
  const held = namesakes.length > 0 ? namesakes : all;
  const meets = held.filter(({ stand }) => stand === 'meets');
  const [only] = meets.length > 0 ? meets : held;
  if (!only || only.isNamedSo === false) return null;
  if (meets.length === 1) return { ...FOUND[only.by ?? 'rows'], account: only.account };
  return held.length === 1 && only.stand === 'open' ? { ...FOUND.assumed, account: only.account } : null;
}

/** Asks which account it is; a preview meanwhile shows the first candidate. */
function askWhich({ given }: TargetInput, held: readonly ComparedAccount[]): Found {
  const [first] = held;
  return {
    ...FOUND.open,
    account: first?.account ?? null,
    conflict: whichAccount(LIKE_OTHERS, held, given.membership),
  };
}

async function fromBanks(input: TargetInput, inFile: AccountInFile, memberId: string | null): Promise<Found> {
  const { tx, analysis, given } = input;
  const all = await selectAccounts(tx);
  const own = all.filter((account) => memberId === null || account.owner_id === null || account.owner_id === memberId);
  const { proved, paired } = await compareWithBanks(tx, own, analysis, inFile);
  if (proved) return { ...FOUND.bank, account: proved };
  if (paired.length === 0) return FOUND.none;
  const why =
    'Some rows of this file are already in an account that a bank feeds, but too few to be sure that the file belongs to it.';
  const choices = paired.map((account): Choice => ({ account, stand: null, lastDate: null }));
  return { ...FOUND.open, account: paired[0] as AccountRow, conflict: whichAccount(why, choices, given.membership) };
}

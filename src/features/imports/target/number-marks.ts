import type { AccountInFile, FileAnalysis } from '../../../engines/imports/analysis.ts';
import { hasIbanForm } from '../../../engines/imports/cells/account-number.ts';
import { normalisedText } from '../../../engines/imports/text/cell-text.ts';
import { numberHash } from './account-naming.ts';
import type { AccountRow } from './targets.queries.ts';

export const MARK_KINDS = ['name', 'bic', 'id', 'form'] as const;

/**
 * What a file says besides a number that does not name its bank. Two banks may have given the same one: then the bank
 * (its name, BIC or other id), or else the form of the file, tells their accounts apart.
 */
export interface NumberMark {
  readonly kind: (typeof MARK_KINDS)[number];
  readonly id: string;
}

/** The account number in a file, as it is stored. */
export interface StatedNumber {
  readonly hash: string;
  /** None if the number names its bank. */
  readonly marks: readonly NumberMark[];
  /** The account that holds the number: it keeps it if the file turns out to be of another one. */
  readonly holderId: string | null;
}

/** The accounts that the number in a file may mean. */
export interface MeantAccount {
  readonly bound: AccountRow | undefined;
  /** Nothing but the number says that it is the bound account. */
  readonly isByNumberAlone: boolean;
  /** Accounts with this number, if the file seems to be of another bank, or if they are several. */
  readonly doubted: readonly AccountRow[];
}

/** An IBAN, or bank code + `/` + account number; some files put zeros for the bank. */
export function namesBank(number: string): boolean {
  const [bank = '', account] = number.split('/');
  return hasIbanForm(number) || (account !== undefined && !/^0*$/.test(bank));
}

const BIC = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;
const BIC_CHARS = 8;

export function marksOf(
  { header_signature: signature, format }: FileAnalysis,
  { stated }: AccountInFile,
  numberKey: Uint8Array | null,
): NumberMark[] {
  const id = (stated?.institution_id ?? '').trim().toUpperCase();
  const texts: [NumberMark['kind'], string][] = [
    ['name', normalisedText(stated?.institution_name ?? '')],
    BIC.test(id) ? ['bic', id.slice(0, BIC_CHARS)] : ['id', id],
    ['form', signature ?? (format === 'qfx' ? 'ofx' : format)],
  ];
  return texts
    .filter(([, text]) => text !== '')
    .map(([kind, text]) => ({ kind, id: numberHash(numberKey, `${kind}:${text}`) }));
}

/** A mark that an earlier file had, and its account. */
export type KnownMark = NumberMark & { readonly account: AccountRow };

/** The same bank decides; another bank leaves an account out; among the rest the form of the file decides. */
export function judgeMarks(
  marks: readonly NumberMark[],
  known: readonly KnownMark[],
  holder: AccountRow | undefined,
): MeantAccount {
  const isStated = ({ kind, id }: NumberMark): boolean => marks.some((one) => one.kind === kind && one.id === id);
  const ofBanks = known.filter(({ kind }) => kind !== 'form');
  const ofBank = ofBanks.find(isStated);
  if (ofBank) return { bound: ofBank.account, isByNumberAlone: false, doubted: [] };
  const all = [...(holder ? [holder] : []), ...known.map(({ account }) => account)];
  const accounts = [...new Map(all.map((account) => [account.id, account])).values()];
  const mayBe = accounts.filter(
    ({ id }) => !ofBanks.some(({ kind, account }) => account.id === id && marks.some((one) => one.kind === kind)),
  );
  const alike = mayBe.filter(({ id }) => known.some((one) => one.account.id === id && isStated(one)));
  if (alike.length === 1) return { bound: alike[0], isByNumberAlone: false, doubted: [] };
  const isOnly = accounts.length === mayBe.length && accounts.length <= 1;
  if (isOnly) return { bound: accounts[0], isByNumberAlone: true, doubted: [] };
  return { bound: undefined, isByNumberAlone: false, doubted: mayBe.length > 0 ? mayBe : accounts };
}

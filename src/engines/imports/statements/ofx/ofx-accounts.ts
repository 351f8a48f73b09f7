import { hasIbanForm } from '../../cells/account-number.ts';
import { currencyOf } from '../../lexicon/currency.ts';
import type { AmountsByShape } from '../statement-amounts.ts';
import { readOfxDate } from './ofx-dates.ts';
import type { OfxValues } from './ofx-walk.ts';
import type { Statement, StatementBalance } from '../statement.ts';

const TYPES: Readonly<Record<string, readonly [type: string, subtype: string | null]>> = {
  CHECKING: ['depository', 'checking'],
  SAVINGS: ['depository', 'savings'],
  MONEYMRKT: ['depository', 'money market'],
  MONEYMARKET: ['depository', 'money market'],
  CD: ['depository', 'cd'],
  CREDITLINE: ['credit', 'line of credit'],
  CREDITCARD: ['credit', 'credit card'],
  LOAN: ['loan', null],
};

/** What a statement says about itself, before the whole file is known. */
export interface OfxStatementParts {
  readonly kind: string;
  currency: string | null;
  account: OfxValues | null;
  ledger: OfxValues | null;
  available: OfxValues | null;
}

type AccountMembers = Pick<
  Statement,
  'account_identifier' | 'account_label' | 'account_name' | 'mask' | 'account_type' | 'account_subtype'
>;

/** The accounts of the statements of a file, in order. */
export function ofxAccounts(statements: readonly OfxStatementParts[]): AccountMembers[] {
  const accounts = statements.map(accountOf);
  // Some banks number members, not accounts: then the account type tells the accounts of a file apart.
  const kinds = new Map<string, Set<string>>();
  for (const [i, { account_identifier: id }] of accounts.entries())
    if (id !== null) kinds.set(id, (kinds.get(id) ?? new Set()).add(typeWord(statements[i])));
  return accounts.map((account, i) => {
    const id = account.account_identifier;
    const isShared = id !== null && (kinds.get(id)?.size ?? 0) > 1;
    const word = typeWord(statements[i]);
    return isShared && word !== ''
      ? { ...account, account_identifier: `${id}/${word}`, account_label: `${account.account_label} ${word}` }
      : account;
  });
}

/** A balance in the file's own sense; null without a readable one. */
export function ofxBalance(
  values: OfxValues | null,
  amounts: AmountsByShape,
  currency: string | null,
): StatementBalance | null {
  const { cents } = amounts.read(values?.get('BALAMT') ?? '', currency);
  return cents === null ? null : { cents, date: readOfxDate(values?.get('DTASOF') ?? '')?.date ?? null };
}

/** The ISO code of CURDEF; null when it is not one. */
export function ofxCurrency(text: string): string | null {
  return currencyOf(text) ?? null;
}

function accountOf({ kind, account }: OfxStatementParts): AccountMembers {
  const label = account?.get('ACCTID') || null;
  const number = compact(label);
  const bank = compact(account?.get('BANKID') ?? account?.get('BROKERID') ?? null);
  const [type, subtype] =
    kind === 'CCSTMTRS'
      ? (['credit', 'credit card'] as const)
      : kind === 'INVSTMTRS'
        ? (['investment', 'brokerage'] as const)
        : (TYPES[(account?.get('ACCTTYPE') ?? '').toUpperCase()] ?? ([null, null] as const));
  return {
    account_identifier: number === null ? null : bank === null || hasIbanForm(number) ? number : `${bank}/${number}`,
    account_label: label,
    account_name: null,
    mask: number?.slice(-4) ?? null,
    account_type: type,
    account_subtype: subtype,
  };
}

function compact(text: string | null): string | null {
  return text?.replaceAll(' ', '').toUpperCase() || null;
}

function typeWord(parts: OfxStatementParts | undefined): string {
  if (!parts || parts.kind !== 'STMTRS') return parts?.kind ?? '';
  return (parts.account?.get('ACCTTYPE') ?? '').toUpperCase();
}

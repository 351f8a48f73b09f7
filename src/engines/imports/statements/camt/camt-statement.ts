import { accountIdentifier, accountMask } from '../../cells/account-number.ts';
import { readDate, withOnlyDay } from './camt-dates.ts';
import type { CamtDays } from './camt-dates.ts';
import type { CamtNode } from './camt-node.ts';
import { currencyOf } from '../../lexicon/currency.ts';
import { collapsed } from '../../text/cell-text.ts';
import { mapped } from '../../packed.ts';
import type { Packed, Series } from '../../packed.ts';
import { readAmount } from '../statement-amounts.ts';
import type { Statement, StatementBalance, StatementEntry } from '../statement.ts';

/** A balance with its kind (OPBD, CLBD, …). */
interface CamtBalance extends StatementBalance {
  readonly kind: string;
  readonly currency: string | null;
}

/** The parts of a Stmt while it is read. */
export interface CamtStatement {
  account: CamtNode | null;
  /** Page of a statement in several pages, from 1. */
  page: number;
  readonly days: CamtDays;
  readonly balances: CamtNode[];
  /** The entries, each with the id in its NtryRef. */
  readonly entries: Packed<{ row: StatementEntry; entryId: string | null }>;
  /** The first currency that an entry states. */
  currency: string | null;
}

/** The account number in the form in which it is compared; null if there is none. */
export function identifierOf(account: CamtNode | null): string | null {
  const number = account?.first('Id/IBAN', 'Id/Othr/Id', 'Id/PrtryAcct/Id', 'Id/BBAN') ?? '';
  return number === '' ? null : accountIdentifier(number);
}

export function ownerOf(account: CamtNode | null): string {
  return collapsed(account?.first('Ownr/Nm', 'Ownr/Pty/Nm') ?? '');
}

export function toStatement(
  { account, page, days, balances, currency: entryCurrency }: Omit<CamtStatement, 'entries'>,
  entries: Series<StatementEntry>,
): Statement {
  const identifier = identifierOf(account);
  const all = balances.map(readBalance).filter((balance) => balance !== null);
  const stated = currencyOf(account?.first('Ccy') ?? '');
  const currency = stated ?? all[0]?.currency ?? entryCurrency;
  const own = all.filter((balance) => balance.currency === null || balance.currency === currency);
  const opening = openingOf(own, page);
  const closing = newest(own, 'CLBD') ?? secondInterim(own);
  const day = days.onlyDay(opening?.date ?? null, closing?.date ?? null);
  const isSavings = account?.first('Tp/Cd') === 'SVGS';
  return {
    account_identifier: identifier,
    account_label: account?.first('Id/IBAN', 'Id/Othr/Id', 'Id/PrtryAcct/Id', 'Id/BBAN') || null,
    account_name: collapsed(account?.first('Nm') ?? '') || null,
    institution_name: collapsed(account?.first('Svcr/FinInstnId/Nm', 'Svcr/FinInstnId/CmbndId/Nm') ?? '') || null,
    institution_id: account?.first('Svcr/FinInstnId/BICFI', 'Svcr/FinInstnId/BIC') || null,
    mask: accountMask(identifier),
    account_type: isSavings ? 'depository' : null,
    account_subtype: isSavings ? 'savings' : null,
    iso_currency_code: currency,
    opening: plain(opening),
    closing: plain(closing),
    available: plain(newest(own, 'CLAV')),
    entries: mapped(entries, (entry) => withOnlyDay(entry, day)),
  };
}

/** A page behind the first opens with the interim balance of the one before it. */
function openingOf(balances: readonly CamtBalance[], page: number): CamtBalance | null {
  const interim = balances.filter(({ kind }) => kind === 'ITBD');
  const isContinued = page > 1 && interim.length > 0;
  if (isContinued) return interim[0] ?? null;
  const opening = oldest(balances, 'OPBD') ?? oldest(balances, 'PRCD');
  if (opening) return opening;
  const isClosed = balances.some(({ kind }) => kind === 'CLBD');
  return isClosed || interim.length > 1 ? (interim[0] ?? null) : null;
}

/** The interim balance with which a page ends: the only one behind an opening balance, else the second. */
function secondInterim(balances: readonly CamtBalance[]): CamtBalance | null {
  const interim = balances.filter(({ kind }) => kind === 'ITBD');
  const isOpened = balances.some(({ kind }) => kind === 'OPBD' || kind === 'PRCD');
  return interim.length > 1 || isOpened ? (interim.at(-1) ?? null) : null;
}

function readBalance(node: CamtNode): CamtBalance | null {
  const amount = node.find('Amt');
  const read = amount ? readAmount(amount.text, '.') : null;
  const kind = node.first('Tp/CdOrPrtry/Cd', 'Tp/CdOrPrtry/Prtry', 'Tp/Cd').toUpperCase();
  const mark = node.first('CdtDbtInd');
  if (!amount || !read || read.cents === null || kind === '' || (mark !== 'CRDT' && mark !== 'DBIT')) return null;
  const stated = amount.attributes['Ccy']?.trim() ?? '';
  const currency = currencyOf(stated) ?? null;
  if (currency === null && stated !== '') return null;
  return {
    kind,
    currency,
    date: readDate(node.find('Dt'))?.date ?? null,
    cents: mark === 'DBIT' ? 0 - read.cents : read.cents,
  };
}

function oldest(balances: readonly CamtBalance[], kind: string): CamtBalance | null {
  let found: CamtBalance | null = null;
  for (const one of balances)
    if (one.kind === kind && (found === null || (one.date ?? '') < (found.date ?? ''))) found = one;
  return found;
}

function newest(balances: readonly CamtBalance[], kind: string): CamtBalance | null {
  let found: CamtBalance | null = null;
  for (const one of balances)
    if (one.kind === kind && (found === null || (one.date ?? '') >= (found.date ?? ''))) found = one;
  return found;
}

function plain(balance: CamtBalance | null): StatementBalance | null {
  return balance && { date: balance.date, cents: balance.cents };
}

import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import type { getAccountDetail, listAccounts } from '../../../src/features/accounts/accounts.contract.ts';
import { formatMoney, Money } from '../../components/money.tsx';
import { Status, type StatusTone } from '../../components/status.tsx';
import { amountOf, centsOf } from '../../lib/amounts.ts';
import { inWords } from '../../lib/days.ts';
import { LANGUAGE } from '../../lib/language.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';

export type Account = OutputOf<typeof listAccounts>[number];
export type Detail = OutputOf<typeof getAccountDetail>;

/** The household's own label, or else the name that the bank or file gave. */
export function nameOf(account: Pick<Account, 'display_name' | 'name'>): string {
  return account.display_name ?? account.name ?? '';
}

/** What the bank calls it, the bank, and the last digits of its number; nothing that the name or another part says. */
export function aboutBank(account: Account): string[] {
  const { name, display_name: label, institution_name: bank, mask } = account;
  const own = nameOf(account);
  const parts = [label === null ? null : name, bank].filter((part) => typeof part === 'string' && part !== own);
  const isSaid = typeof mask !== 'string' || [own, ...parts].some((part) => part?.endsWith(mask));
  const shown = [...new Set(parts), ...(isSaid ? [] : [`···· ${mask}`])];
  return shown.filter((part) => typeof part === 'string');
}

/** Kept by hand or by files, so that a person may add, state and delete. */
export function isByHand({ provider }: Pick<Account, 'provider'>): boolean {
  return provider === 'csv';
}

const LIABILITIES: ReadonlySet<string> = new Set(['credit', 'loan']);

/** A positive balance of such an account is owed. */
export function isOwed({ type }: Pick<Account, 'type'>): boolean {
  return LIABILITIES.has(type ?? '');
}

export function isDisconnected({ connection_status: status }: Pick<Account, 'connection_status'>): boolean {
  return status === 'disconnected' || status === null;
}

/** Whether its balance is part of the household's totals (80.2). */
export function counts(account: Account): boolean {
  return account.is_excluded !== true && account.is_dependent_linked !== true && !isDisconnected(account);
}

const TYPES: Readonly<Record<string, { one: string; many: string }>> = {
  depository: { one: 'Bank account', many: 'Bank accounts' },
  credit: { one: 'Credit card', many: 'Credit cards' },
  loan: { one: 'Loan', many: 'Loans' },
  investment: { one: 'Investment', many: 'Investments' },
  brokerage: { one: 'Brokerage', many: 'Brokerage' },
  other: { one: 'Other', many: 'Other' },
};
export const TYPE_ORDER = Object.keys(TYPES);
export const TYPE_OPTIONS = Object.entries(TYPES).map(([value, { one }]) => ({ value, label: one }));

/** In words; a type of somebody's own as it is. */
export function typeName(type: string, number: 'one' | 'many' = 'one'): string {
  return TYPES[type]?.[number] ?? type.charAt(0).toUpperCase() + type.slice(1);
}

export function Marks({ account }: { account: Account }) {
  return (
    <>
      {account.is_excluded === true && <Mark>not in totals</Mark>}
      {account.is_dependent_linked === true && <Mark>copy of another account</Mark>}
    </>
  );
}

function Mark({ children }: { children: ReactNode }) {
  return (
    <span className="rounded-full border border-line-strong px-2 py-px text-xs font-normal whitespace-nowrap text-muted">
      {children}
    </span>
  );
}

const STATES: Readonly<Record<string, { tone: StatusTone; text: string }>> = {
  error: { tone: 'danger', text: 'Does not sync' },
  pending_reauth: { tone: 'warning', text: 'Sign in again' },
  disconnected: { tone: 'neutral', text: 'Disconnected' },
};

/** What is wrong with its connection, and the way there; nothing while all is well. */
export function ConnectionState({ account }: { account: Account }) {
  const { connection_id: id, connection_status: status } = account;
  if (status === null) return <Status>Connection deleted</Status>;
  const state = STATES[status ?? ''];
  if (!state) return null;
  const words = <Status tone={state.tone}>{state.text}</Status>;
  if (typeof id !== 'string') return words;
  return (
    <PageLink to="/connections/{id}" params={{ id }} className="rounded-full">
      {words}
    </PageLink>
  );
}

/** The mark beside a balance; without a check there is none. */
export function ProofMark({ account }: { account: Account }) {
  const { balance_check: check } = account;
  if (!check) return null;
  const day = inWords(check.date, 'dayOfYear');
  const source = check.source === 'sync' ? 'the bank' : 'the file';
  if (check.status === 'agrees') {
    const words = `adds up with what ${source} sent, ${day}`;
    return (
      <span title={words} className="inline-flex items-center gap-1 text-success">
        <CircleCheck aria-hidden size={14} className="shrink-0" />
        <span className="sr-only">{words}</span>
      </span>
    );
  }
  const apart = check.difference
    ? `${formatMoney(absolute(check.difference), check.iso_currency_code)} apart`
    : 'differs';
  const words = (
    <>
      <TriangleAlert aria-hidden size={14} className="shrink-0" />
      {apart}, {day}
    </>
  );
  const look = 'inline-flex items-center gap-1 text-sm text-warning';
  if (typeof check.sync_log_id !== 'string') {
    return (
      <PageLink to="/accounts/{id}" params={{ id: account.short_id }} hash="imports" className={`${look} ${LINK}`}>
        {words}
      </PageLink>
    );
  }
  return (
    <PageLink to="/sync-logs/{id}" params={{ id: check.sync_log_id }} className={`${look} ${LINK}`}>
      {words}
    </PageLink>
  );
}

function absolute(amount: string): string {
  return amount.replace(/^-/, '');
}

export function Balance({ account, of = 'balance_current' }: { account: Account; of?: BalanceField }) {
  const amount = account[of];
  if (amount === null || amount === undefined) return <span className="text-muted">–</span>;
  return <Money amount={amount} currency={account.iso_currency_code ?? null} kind="balance" />;
}

type BalanceField = 'balance_current' | 'balance_available' | 'balance_limit';

export interface Sum {
  currency: string | null;
  owned: string;
  owed: string;
  net: string;
}

/** What the counted accounts have in each currency, never added together. */
export function sumsOf(accounts: readonly Account[]): Sum[] {
  const sums = new Map<string | null, { owned: bigint; owed: bigint }>();
  for (const account of accounts.filter(counts)) {
    if (typeof account.balance_current !== 'string') continue;
    const currency = account.iso_currency_code ?? null;
    const sum = sums.get(currency) ?? { owned: 0n, owed: 0n };
    sums.set(currency, sum);
    sum[isOwed(account) ? 'owed' : 'owned'] += centsOf(account.balance_current);
  }
  return [...sums]
    .sort(([a], [b]) => (a ?? '\uffff').localeCompare(b ?? '\uffff', LANGUAGE))
    .map(([currency, { owned, owed }]) => ({
      currency,
      owned: amountOf(owned),
      owed: amountOf(owed),
      net: amountOf(owned - owed),
    }));
}

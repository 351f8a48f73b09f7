import { Search } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

import type { OutputOf } from '../../src/contract/operation.ts';
import { listTransactions } from '../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../api/queries.ts';
import { Money } from '../components/money.tsx';
import { CategoryGlyph } from '../components/transaction/category-chip.tsx';
import { openTransaction } from '../components/transaction/drawer-store.ts';
import { nameOf, ROW_FIELDS, type TransactionRecord } from '../components/transaction/transaction-row.tsx';
import { inWords } from '../lib/days.ts';
import { hasPage } from '../lib/page-at.ts';
import { amountIn } from './amount-in-text.ts';
import type { Command } from './palette.tsx';

const ASKED_EVERY_MS = 150;
const SHOWN = '8';
const LEAST_CHARS = 2;

interface FoundTransactions {
  commands: readonly Command[];
  /** The answer to what is typed is not there yet. */
  isAsked: boolean;
}

/** The newest transactions that a text finds, and the list of all of them. */
export function useFoundTransactions(text: string): FoundTransactions {
  const navigate = useNavigate();
  const asked = useThrottled(text.trim());
  const filter = filterOf(asked);
  const query = useApiQuery(
    listTransactions,
    { query: { ...filter, limit: SHOWN, fields: ROW_FIELDS } },
    { enabled: filter !== undefined, retry: false },
  );
  const isAsked = filterOf(text.trim()) !== undefined && (asked !== text.trim() || query.isFetching);
  const { transactions } = (filter && asked === text.trim() && query.data) || NONE;
  const commands = transactions.map(commandOf);
  if (filter && commands.length > 0 && hasPage('/transactions')) {
    commands.push({
      id: 'transactions',
      label: `All transactions with “${asked}”`,
      leading: <Search aria-hidden size={18} className="mx-0.5 shrink-0 text-muted" />,
      kind: 'List',
      run: () => void navigate({ to: '/transactions', search: filter } as never),
    });
  }
  return { commands, isAsked };
}

const NONE: Pick<OutputOf<typeof listTransactions>, 'transactions'> = { transactions: [] };

/** An amount, or else words; undefined while there is too little to look for. */
function filterOf(text: string): Readonly<Record<string, string>> | undefined {
  const amount = amountIn(text);
  if (amount) return { amount_abs_min: amount.min, amount_abs_max: amount.max };
  // A comma would separate terms, of which one is enough.
  const words = text.replaceAll(',', ' ').trim();
  return words.length < LEAST_CHARS ? undefined : { search: words, search_mode: 'words' };
}

function commandOf(transaction: TransactionRecord): Command {
  const { short_id: id, date, account_name: account, amount, iso_currency_code: currency } = transaction;
  return {
    id: `transaction-${id}`,
    label: nameOf(transaction),
    hint: [inWords(date ?? ''), account].filter((part) => part !== undefined).join(' · '),
    leading: <CategoryGlyph id={transaction.category?.id} size="sm" />,
    kind: (
      <span className="font-medium text-ink">
        <Money amount={amount ?? '0.00'} currency={currency ?? null} />
      </span>
    ),
    run: () => openTransaction(id),
  };
}

/** The newest value, at most so often. */
function useThrottled(value: string): string {
  const [given, give] = useState(value);
  const latest = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = value;
    if (value === given || timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      give(latest.current);
    }, ASKED_EVERY_MS);
  }, [value, given]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return given;
}

import type { ReactNode } from 'react';

import { FIGURE_ALONE, FIGURE_LINK, PageLink } from '../lib/page-link.tsx';
import type { RowSearch } from '../lib/rows-behind.ts';
import { Money } from './money.tsx';

interface FigureLinkProps {
  amount: string;
  currency: string | null;
  /** The rows behind it; undefined where no list has exactly these. */
  search: RowSearch | undefined;
  /** `flow` has a plus where money came in. */
  kind?: 'flow' | 'balance';
  /** It stands by itself, not in a sentence. */
  isAlone?: boolean;
}

/** A sum that leads to the rows it is made of; that of no rows leads nowhere. */
export function FigureLink({ amount, currency, search, kind = 'balance', isAlone = false }: FigureLinkProps) {
  const figure = <Money amount={amount} currency={currency} kind={kind} />;
  if (search === undefined || amount === '0.00') return figure;
  return (
    <RowsLink search={search} isAlone={isAlone}>
      {figure}
    </RowsLink>
  );
}

interface RowsLinkProps extends Pick<FigureLinkProps, 'isAlone'> {
  search: RowSearch;
  children: ReactNode;
}

export function RowsLink({ search, isAlone = false, children }: RowsLinkProps) {
  return (
    <PageLink to="/transactions" search={search} className={isAlone ? FIGURE_ALONE : FIGURE_LINK}>
      {children}
    </PageLink>
  );
}

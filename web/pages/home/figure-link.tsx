import type { ReactNode } from 'react';

import { Money } from '../../components/money.tsx';
import { FIGURE_LINK, PageLink } from '../../lib/page-link.tsx';
import type { RowSearch } from '../../lib/rows-behind.ts';

interface FigureLinkProps {
  amount: string;
  currency: string | null;
  /** The rows behind it; undefined where no list has exactly these. */
  search: RowSearch | undefined;
}

/** A sum that leads to the rows it is made of; that of no rows leads nowhere. */
export function FigureLink({ amount, currency, search }: FigureLinkProps) {
  const figure = <Money amount={amount} currency={currency} kind="balance" />;
  if (search === undefined || amount === '0.00') return figure;
  return <RowsLink search={search}>{figure}</RowsLink>;
}

export function RowsLink({ search, children }: { search: RowSearch; children: ReactNode }) {
  return (
    <PageLink to="/transactions" search={search} className={FIGURE_LINK}>
      {children}
    </PageLink>
  );
}

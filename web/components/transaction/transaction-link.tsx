import type { MouseEvent, ReactNode } from 'react';

import { LINK } from '../../lib/page-link.tsx';
import { openTransaction, type Neighbour } from './drawer-store.ts';

interface TransactionLinkProps {
  /** UUID or short id. */
  id: string;
  className?: string;
  neighbour?: Neighbour | undefined;
  tabIndex?: number | undefined;
  children: ReactNode;
}

/**
 * Opens a transaction beside the page. It leads to the transaction's own page, which another tab or window shows. No link
 * of the router: each of those watches the address, and a list has a hundred of them.
 */
export function TransactionLink({ id, className = LINK, neighbour, tabIndex, children }: TransactionLinkProps) {
  const open = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    openTransaction(id, neighbour);
  };
  return (
    <a href={`/transactions/${id}`} className={className} tabIndex={tabIndex} onClick={open}>
      {children}
    </a>
  );
}

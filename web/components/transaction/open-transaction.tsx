import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useRef, type RefObject } from 'react';

import { getTransaction } from '../../../src/features/transactions/transactions.contract.ts';
import { queryClient, useApiQuery } from '../../api/queries.ts';
import { isFreeIn, shortcuts } from '../../layout/page-keys.ts';
import { IconButton } from '../button.tsx';
import { Drawer } from '../dialog.tsx';
import { closeTransaction, openTransaction, rowOf, type Opened } from './drawer-store.ts';
import { LoadedTransaction } from './loaded-transaction.tsx';
import { nameOf } from './transaction-row.tsx';
import { readOf } from './use-transaction-edit.ts';

/** The drawer itself, with the keys that lead to the rows around. */
export function OpenTransaction({ opened: { id, neighbour } }: { opened: Opened }) {
  const transaction = useApiQuery(getTransaction, { params: { id }, query: { include_deleted: 'true' } });
  const go = (step: 1 | -1): void => {
    const next = neighbour(id, step);
    if (next !== undefined) openTransaction(next, neighbour);
  };
  const content = useRef<HTMLDivElement>(null);
  useKeys(go);
  useInSight(id, content);
  useEffect(() => {
    for (const step of [1, -1] as const) {
      const next = neighbour(id, step);
      if (next !== undefined) void queryClient.prefetchQuery(readOf(next));
    }
  }, [id, neighbour]);
  const isAmongRows = neighbour(id, 1) !== undefined || neighbour(id, -1) !== undefined;
  const title = transaction.data === undefined ? 'Transaction' : nameOf(transaction.data);
  return (
    <Drawer
      open
      title={title}
      onClose={closeTransaction}
      actions={
        isAmongRows && (
          <>
            <IconButton icon={ChevronUp} label="Previous transaction (k)" onClick={() => go(-1)} />
            <IconButton icon={ChevronDown} label="Next transaction (j)" onClick={() => go(1)} />
          </>
        )
      }
    >
      {/* The focus begins here, so that the keys work and nothing is scrolled to. */}
      <div ref={content} tabIndex={-1} data-autofocus className="outline-none">
        <LoadedTransaction id={id} query={transaction} />
      </div>
    </Drawer>
  );
}

/** `j` and `k` go to the next and the previous row, unless something is typed or another dialog is open. */
function useKeys(go: (step: 1 | -1) => void): void {
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const step = ({ j: 1, k: -1 } as const)[event.key];
      if (step === undefined || shortcuts.get() === 'off' || !isFreeIn(event, 1)) return;
      event.preventDefault();
      latest.current(step);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** The row behind the drawer is in sight, and has the focus when the drawer is closed. */
function useInSight(id: string, content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    rowOf(id)?.scrollIntoView({ block: 'nearest' });
    if (document.activeElement === document.body) content.current?.focus();
  }, [id, content]);
}

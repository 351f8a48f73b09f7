import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';

import { useStore } from '../../lib/store.ts';
import { preloadPickers } from '../pickers/later-pickers.tsx';
import { closeTransaction, openedTransaction, rowOf } from './drawer-store.ts';

const OpenTransaction = lazy(async () => {
  const [{ OpenTransaction: Opened }] = await Promise.all([import('./open-transaction.tsx'), preloadPickers()]);
  return { default: Opened };
});

/** Below this there is no room beside the page, and a transaction is a page of its own. */
const SMALL = '(width < 40rem)';

/** The one drawer with a transaction, over whichever page opened it. */
export function TransactionDrawer() {
  const opened = useStore(openedTransaction);
  const navigate = useNavigate();
  const isPage = opened !== null && matchMedia(SMALL).matches;
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (isPage) {
      closeTransaction();
      void navigate({ to: '/transactions/$id', params: { id: opened.id } } as never);
      return;
    }
    // The row that was looked at last has the focus, which may be another than the one that opened the drawer.
    if (!opened && last.current !== undefined) rowOf(last.current)?.querySelector('a')?.focus();
    last.current = opened?.id;
  }, [isPage, opened, navigate]);
  return <Suspense fallback={null}>{opened && !isPage && <OpenTransaction opened={opened} />}</Suspense>;
}

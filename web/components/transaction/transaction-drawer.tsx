import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';

import { useStore } from '../../lib/store.ts';
import { Drawer } from '../dialog.tsx';
import { Skeleton } from '../skeleton.tsx';
import { closeTransaction, openedTransaction } from './drawer-store.ts';

const Detail = lazy(async () => ({ default: (await import('./transaction-detail.tsx')).TransactionDetail }));

/** Below this there is no room beside the page, and a transaction is a page of its own. */
const SMALL = '(width < 40rem)';

/** The one drawer with a transaction, over whichever page opened it. */
export function TransactionDrawer() {
  const opened = useStore(openedTransaction);
  const navigate = useNavigate();
  const isPage = opened !== null && matchMedia(SMALL).matches;
  useEffect(() => {
    if (!isPage || !opened) return;
    closeTransaction();
    void navigate({ to: '/transactions/$id', params: { id: opened.id } } as never);
  }, [isPage, opened, navigate]);
  return (
    <Drawer open={opened !== null && !isPage} title="Transaction" onClose={closeTransaction}>
      <Suspense fallback={<Skeleton lines={6} />}>{opened && <Detail key={opened.id} id={opened.id} />}</Suspense>
    </Drawer>
  );
}

import { lazy, Suspense } from 'react';

import type { Session } from '../api/session.ts';
import { Dialog } from '../components/dialog.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { createStore, useStore } from '../lib/store.ts';

const Palette = lazy(() => import('./palette.tsx'));
const isPaletteOpen = createStore(false);

export function openPalette(): void {
  isPaletteOpen.set(true);
}

export function closePalette(): void {
  isPaletteOpen.set(false);
}

/** Finds transactions, amounts, accounts, pages and actions by what people type. */
export function CommandPalette({ session }: { session: Session | undefined }) {
  return (
    <Dialog wide open={useStore(isPaletteOpen)} title="Search" onClose={closePalette}>
      <Suspense fallback={<Skeleton />}>
        <Palette session={session} />
      </Suspense>
    </Dialog>
  );
}

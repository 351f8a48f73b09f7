import { Outlet } from '@tanstack/react-router';

import { ConnectionBanner } from './connection-banner.tsx';
import { Wordmark } from './wordmark.tsx';

/** Around the pages that are shown signed out: one card, and nothing that distracts. */
export function AccountFrame() {
  return (
    <>
      <ConnectionBanner />
      <div className="flex min-h-dvh flex-col items-center px-4 py-8 sm:py-16">
        <header className="mb-8">
          <Wordmark />
        </header>
        <main className="w-full max-w-md rounded-card border border-line bg-surface p-6 sm:p-8">
          <Outlet />
        </main>
      </div>
    </>
  );
}

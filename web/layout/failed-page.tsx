import type { ErrorComponentProps } from '@tanstack/react-router';

import { ErrorBanner } from '../components/banner.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { LINK, PageLink } from '../lib/page-link.tsx';

export function NotFound() {
  return (
    <main className="mx-auto max-w-2xl p-6">
      <PageHeader title="Not found" lead="There is no page at this address." />
      <HomeLink />
    </main>
  );
}

export function PageFailed({ error, reset }: ErrorComponentProps) {
  return (
    <main className="mx-auto max-w-2xl p-6">
      <PageHeader title="This page could not be shown" />
      <ErrorBanner error={error} onRetry={reset} />
      <HomeLink />
    </main>
  );
}

export function MoreRightsNeeded({ reason }: { reason: string }) {
  return (
    <>
      <PageHeader title="You need more rights" lead={reason} />
      <HomeLink />
    </>
  );
}

function HomeLink() {
  return (
    <p>
      <PageLink to="/" className={LINK}>
        Go to Home
      </PageLink>
    </p>
  );
}

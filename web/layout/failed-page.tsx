import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { askServer, isConnected, noteLostConnection } from '../api/connection.ts';
import { ErrorBanner } from '../components/banner.tsx';
import { Button } from '../components/button.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { PageNotLoaded, TRIED } from '../lib/lazy-page.tsx';
import { LINK_ALONE, PageLink } from '../lib/page-link.tsx';
import { openPalette } from './command-palette.tsx';

export function NotFound() {
  return (
    <>
      <PageHeader
        title="Not found"
        lead="There is no page at this address. It may have moved, or the address may be mistyped."
        actions={<Button onClick={openPalette}>Search</Button>}
      />
      <HomeLink />
    </>
  );
}

export function PageFailed({ error, reset }: ErrorComponentProps) {
  if (error instanceof PageNotLoaded) return <CodeMissing />;
  return (
    <>
      <PageHeader title="This page could not be shown" />
      <ErrorBanner error={error} onRetry={reset} />
      <HomeLink />
    </>
  );
}

/** The server is away, or was updated and no longer has the code of this page. Both end with loading the page again. */
function CodeMissing() {
  const [wasTried] = useState(() => sessionStorage.getItem(TRIED) === location.pathname);
  useEffect(() => {
    noteLostConnection();
    askServer();
    return isConnected.subscribe(() => {
      if (!isConnected.get() || sessionStorage.getItem(TRIED) === location.pathname) return;
      sessionStorage.setItem(TRIED, location.pathname);
      location.reload();
    });
  }, []);
  return (
    <>
      <PageHeader
        title="This page could not be loaded"
        lead={
          wasTried
            ? 'Its code is not on the server. Load the page again, and if that does not help, restart the server.'
            : 'Its code is on the server, which cannot be reached. The page opens by itself once it can.'
        }
        actions={<Button onClick={() => location.reload()}>Load again</Button>}
      />
      <HomeLink />
    </>
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
      <PageLink to="/" className={LINK_ALONE}>
        Go to Home
      </PageLink>
    </p>
  );
}

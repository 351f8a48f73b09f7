import { useState } from 'react';

import { getBootstrap } from '../../../src/features/bootstrap/bootstrap.contract.ts';
import { visitorApi } from '../../api/client.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { LINK } from '../../lib/page-link.tsx';
import { leaveFor } from './leave-for.ts';

interface WhereToGo {
  /** Leads on after signing in. */
  goOn: () => Promise<void>;
  /** With the dashboard off there is no start page to lead to: this page says so instead. */
  isHere: boolean;
}

export function useWhereToGo(next: string): WhereToGo {
  const [isHere, setHere] = useState(false);
  return {
    isHere,
    async goOn() {
      if (next === '/' && !(await hasDashboard())) return setHere(true);
      await leaveFor(next);
    },
  };
}

/** If the server does not say, the start page will. */
async function hasDashboard(): Promise<boolean> {
  try {
    return (await visitorApi.call(getBootstrap, {})).dashboard_enabled;
  } catch {
    return true;
  }
}

/** Instead of the page that would be next. */
export function SignedInPage() {
  return (
    <>
      <PageHeader title="You are signed in" />
      <WithoutDashboard />
    </>
  );
}

export function WithoutDashboard() {
  return (
    <>
      <p className="mb-4">
        The dashboard is turned off on this server, so there are no other pages to open. Apps and scripts work as usual.
      </p>
      <p>
        <a href="/auth/device" className={LINK}>
          Approve a device
        </a>
      </p>
    </>
  );
}

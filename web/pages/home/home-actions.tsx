import { useNavigate } from '@tanstack/react-router';
import { Landmark, Plus, RefreshCw, Wallet } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import { listSyncLogs, triggerSync } from '../../../src/features/sync/sync.contract.ts';
import { messageOf } from '../../api/client.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ImportButton } from '../../components/import/import-button.tsx';
import { Menu } from '../../components/menu.tsx';
import { showToast } from '../../components/toast-store.ts';
import { counted } from '../../lib/numbers.ts';
import { AFTER_SYNC } from '../connections/running-syncs.ts';

const NewAccount = lazy(async () => ({
  default: (await import('../accounts/new-account-dialog.tsx')).NewAccountDialog,
}));

/** What brings new transactions in. */
export function HomeActions() {
  const [isAdding, setAdding] = useState(false);
  const reason = useReasonAgainst('full_access');
  const navigate = useNavigate();
  const sync = useApiWrite(triggerSync, {
    refreshes: [...AFTER_SYNC, listSyncLogs],
    onSuccess: ({ syncs }) => showToast(askedInWords(syncs.filter(({ status }) => status !== 'skipped').length)),
  });
  const syncNow = (): void => sync.mutate({ body: {} }, { onError: (error) => showToast(messageOf(error)) });
  return (
    <>
      <ImportButton look="primary" />
      <Menu
        trigger={<Button icon={Plus}>More</Button>}
        items={[
          {
            label: 'Add a bank',
            icon: Landmark,
            disabledReason: reason,
            onSelect: () => void navigate({ to: '/connections/new' }),
          },
          { label: 'Add cash', icon: Wallet, disabledReason: reason, onSelect: () => setAdding(true) },
          { label: 'Sync now', icon: RefreshCw, disabledReason: reason, onSelect: syncNow },
        ]}
      />
      {isAdding && (
        <Suspense>
          <NewAccount onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  );
}

function askedInWords(count: number): string {
  return count === 0 ? 'There is no bank to sync.' : `${counted(count, 'bank is', 'banks are')} being synced.`;
}

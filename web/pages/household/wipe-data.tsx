import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';

import { wipeUserData } from '../../../src/features/users/users.contract.ts';
import { api } from '../../api/client.ts';
import { useApiWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { showToast } from '../../components/toast-store.ts';
import { counted } from '../../lib/numbers.ts';
import type { Member } from './member-card.tsx';

/** Counts first what would go, then asks for the name. */
export function WipeDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const [includesShared, setIncludesShared] = useState(false);
  const input = { params: { id: member.id }, body: { include_shared: includesShared } };
  const rehearsal = useQuery({
    queryKey: [wipeUserData.name, input],
    queryFn: () => api.call(wipeUserData, { ...input, body: { ...input.body, dry_run: true } }),
    retry: false,
    gcTime: 0,
  });
  const wipe = useApiWrite(wipeUserData);
  return (
    <ConfirmDialog
      open
      title={`Wipe ${member.name}’s data?`}
      action="Wipe for good"
      typeToConfirm={member.name}
      onConfirm={async () => {
        const done = await wipe.mutateAsync(input);
        showToast(`${counted(done.deleted_transactions, 'transaction')} erased.`);
      }}
      onClose={onClose}
    >
      <p className="mb-3">
        This erases everything from {member.name}’s connections: accounts, balances, transactions, comments and imports.
        It cannot be undone. {member.name} stays, with their login, API keys and rules.
      </p>
      <Loaded query={rehearsal} lines={2}>
        {(found) => (
          <p className="font-medium text-ink">
            {counted(found.deleted_connections, 'connection')}, {counted(found.deleted_accounts, 'account')} and{' '}
            {counted(found.deleted_transactions, 'transaction')} will be erased.
          </p>
        )}
      </Loaded>
      <label className="mt-3 flex gap-3">
        <input
          type="checkbox"
          className="mt-0.5 size-5 shrink-0 accent-accent"
          checked={includesShared}
          onChange={(event) => setIncludesShared(event.currentTarget.checked)}
        />
        <span>Also erase accounts from these connections that belong to someone else</span>
      </label>
    </ConfirmDialog>
  );
}

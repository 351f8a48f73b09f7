import { useState } from 'react';

import { listApiKeys, revokeApiKey } from '../../../src/features/api-keys/api-keys.contract.ts';
import { ApiError } from '../../api/client.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Banner } from '../../components/banner.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { showToast } from '../../components/toast-store.ts';
import type { ApiKey } from './api-keys-page.tsx';

/** Asks for the name; for the last key with full access, asks once more with what it means. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useApiWrite(revokeApiKey, { refreshes: [listApiKeys] });
  const [isLast, setLast] = useState(false);

  async function confirm(): Promise<void> {
    try {
      await revoke.mutateAsync({ params: { id: apiKey.id }, query: { force: isLast ? 'true' : 'false' } });
      showToast(`${apiKey.name} has been revoked.`);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'LAST_FULL_ACCESS_KEY') setLast(true);
      throw error;
    }
  }

  return (
    <ConfirmDialog
      open
      title={`Revoke ${apiKey.name}?`}
      action={isLast ? 'Revoke it anyway' : 'Revoke'}
      typeToConfirm={apiKey.name}
      onConfirm={confirm}
      onClose={onClose}
    >
      {isLast && (
        <Banner tone="warning">
          This is the last API key with full access. Without one, scripts and agents can only read.
        </Banner>
      )}
      <p>Anything that uses this key will stop working at once. A revoked key cannot be restored.</p>
    </ConfirmDialog>
  );
}

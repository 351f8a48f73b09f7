import type { OutputOf } from '../../../src/contract/operation.ts';
import type { triggerSync } from '../../../src/features/sync/sync.contract.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { bankName, type Connection } from './connection-words.ts';

export type Asked = OutputOf<typeof triggerSync>['syncs'];

const SKIPPED: Readonly<Record<string, string>> = {
  paused: 'paused',
  pending_reauth: 'waiting for someone to sign in at the bank',
  error: 'not syncing because of an error; sync it on its own to try again',
  csv: 'updated from bank files',
  provider_not_configured: 'its provider is not set up',
};

/** The answer to "Sync all": how many syncs begin, and what is left out and why. */
export function WhatWasAsked({
  asked,
  connections,
  onClose,
}: {
  asked: Asked;
  connections: readonly Connection[];
  onClose: () => void;
}) {
  const started = asked.filter(({ status }) => status !== 'skipped').length;
  const skipped = asked.filter(({ status, reason }) => status === 'skipped' && reason !== 'csv');
  const name = (id: string): string => {
    const connection = connections.find((one) => one.id === id);
    return connection ? bankName(connection) : 'A bank';
  };
  return (
    <Banner
      tone={skipped.length === 0 ? 'success' : 'info'}
      title={startedInWords(started)}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      {skipped.length > 0 && (
        <ul className="mt-1 list-disc pl-5">
          {skipped.map(({ connection_id: id, reason }) => (
            <li key={id}>
              {name(id)}: {SKIPPED[reason ?? ''] ?? 'left out'}
            </li>
          ))}
        </ul>
      )}
    </Banner>
  );
}

function startedInWords(count: number): string {
  if (count === 0) return 'There is no bank to sync';
  return count === 1 ? 'One bank is being synced' : `${count} banks are being synced`;
}

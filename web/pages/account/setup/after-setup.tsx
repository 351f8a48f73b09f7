import { useState } from 'react';

import { setConfigEntry } from '../../../../src/features/config/config.contract.ts';
import { useApiWrite } from '../../../api/queries.ts';
import { ErrorBanner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { SecretOnce } from '../../../components/snippet.tsx';
import { useUnsavedChanges } from '../../../components/unsaved-changes.tsx';
import { nowMs } from '../../../lib/clock.ts';
import type { CompletedSetup } from './setup-forms.ts';
import { WhatNext } from './what-next.tsx';

type Stage = 'key' | 'encryption' | 'next';

/** What is shown only once, what must not be lost, and where to go next. */
export function AfterSetup({ setup }: { setup: CompletedSetup }) {
  const [key, setKey] = useState(setup.api_key?.key);
  const [stage, setStage] = useState<Stage>(key === undefined ? 'encryption' : 'key');
  useUnsavedChanges(key !== undefined, 'secret');
  const forgetKey = (): void => {
    setKey(undefined);
    setStage('encryption');
  };
  if (key !== undefined) return <FirstKey secret={key} onSaved={forgetKey} />;
  if (stage === 'encryption') return <EncryptionKey encryption={setup.encryption} onDone={() => setStage('next')} />;
  return <WhatNext name={setup.user.name} />;
}

function FirstKey({ secret, onSaved }: { secret: string; onSaved: () => void }) {
  return (
    <>
      <PageHeader
        key="key"
        title="Your first API key"
        lead="Anyone who has it can see and change everything in your ledger. You can revoke it on the API keys page."
      />
      <SecretOnce label="First key" secret={secret} onSaved={onSaved} />
    </>
  );
}

interface EncryptionKeyProps {
  encryption: CompletedSetup['encryption'];
  onDone: () => void;
}

function EncryptionKey({ encryption, onDone }: EncryptionKeyProps) {
  const acknowledge = useApiWrite(setConfigEntry, { refreshes: [], onSuccess: onDone });
  const value = new Date(nowMs()).toISOString();
  return (
    <>
      <PageHeader
        key="encryption"
        title="Keep a copy of the encryption key"
        lead="It protects your secrets: the access to your banks, and the credentials of bank providers."
      />
      <div className="space-y-3">
        <KeyPlace encryption={encryption} />
        <p>
          If you lose it, no one can read those secrets again, not even from a backup. Your transactions would still be
          there, but you would have to connect every bank again.
        </p>
        <p>Keep the copy separate from your backups, for example in a password manager.</p>
      </div>
      <div className="mt-6">
        {acknowledge.error && <ErrorBanner error={acknowledge.error} />}
        <div className="flex flex-wrap gap-3">
          <Button
            look="primary"
            busy={acknowledge.isPending}
            onClick={() =>
              acknowledge.mutate({ params: { key: 'setup.encryption_key_acknowledged_at' }, body: { value } })
            }
          >
            I have a copy
          </Button>
          <Button onClick={onDone}>Later</Button>
        </div>
      </div>
    </>
  );
}

function KeyPlace({ encryption: { source, key_file: file } }: Pick<EncryptionKeyProps, 'encryption'>) {
  const [where, name] = {
    env: ['The key is the value of this environment variable on the server:', 'ENCRYPTION_KEY'],
    file: ['The key is in the file that this environment variable on the server points to:', 'ENCRYPTION_KEY_FILE'],
    key_file: ['The key is in this file on the server:', file ?? 'encryption.key'],
  }[source];
  return (
    <>
      <p>{where}</p>
      <p className="rounded-control bg-sunken px-3 py-2">
        <code className="font-mono text-sm break-all">{name}</code>
      </p>
    </>
  );
}

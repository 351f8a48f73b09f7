import type { getBootstrap } from '../../../src/features/bootstrap/bootstrap.contract.ts';
import { getConfigEntry, setConfigEntry } from '../../../src/features/config/config.contract.ts';
import type { OutputOf } from '../../../src/contract/operation.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { DefinitionList } from '../../components/definition-list.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { Awaited } from '../../components/skeleton.tsx';
import { nowMs } from '../../lib/clock.ts';

type Encryption = NonNullable<OutputOf<typeof getBootstrap>['diagnostics']>['encryption'];

const SOURCES = {
  env: 'The environment variable ENCRYPTION_KEY',
  file: 'The file that ENCRYPTION_KEY_FILE points to',
  key_file: 'encryption.key in the data directory',
} as const;
const ACKNOWLEDGED = { params: { key: 'setup.encryption_key_acknowledged_at' } };

/** Where the encryption key comes from, and whether somebody has put a copy of it elsewhere. */
export function KeySection({ encryption }: { encryption: Encryption }) {
  const reason = useReasonAgainst('admin');
  const acknowledged = useApiQuery(getConfigEntry, ACKNOWLEDGED, { enabled: reason === undefined });
  const acknowledge = useApiWrite(setConfigEntry, { refreshes: [getConfigEntry] });
  const at = acknowledged.data?.value ?? null;
  const isOpen = reason !== undefined || (acknowledged.isSuccess && at === null);
  const confirm = (): void => acknowledge.mutate({ ...ACKNOWLEDGED, body: { value: new Date(nowMs()).toISOString() } });
  return (
    <Section title="Encryption key" about="It protects the secrets in the database, such as the keys of your banks.">
      {acknowledge.error !== null && <ErrorBanner error={acknowledge.error} onRetry={confirm} />}
      {acknowledged.isLoading && <Awaited />}
      {isOpen && (
        <Banner
          isPlain
          title="Keep a copy of the encryption key"
          actions={
            <Button busy={acknowledge.isPending} disabledReason={reason} onClick={confirm}>
              I have a copy
            </Button>
          }
        >
          Without it, the secrets in the database and in your backups cannot be read. The key never leaves the server,
          so this page cannot show it.
        </Banner>
      )}
      <DefinitionList
        items={[
          { term: 'Source', value: SOURCES[encryption.source] },
          ...(at === null ? [] : [{ term: 'Copy confirmed', value: <Instant at={at} /> }]),
        ]}
      />
    </Section>
  );
}

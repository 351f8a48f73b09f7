import type { OutputOf } from '../../../src/contract/operation.ts';
import { getSyncHealth } from '../../../src/features/sync/sync.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { DefinitionList } from '../../components/definition-list.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status, type StatusTone } from '../../components/status.tsx';
import { counted, inDigits } from '../../lib/numbers.ts';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';

type Health = OutputOf<typeof getSyncHealth>;

const WORDS: Readonly<Record<Health['overall_health'], { tone: StatusTone; word: string }>> = {
  healthy: { tone: 'success', word: 'All is well' },
  degraded: { tone: 'warning', word: 'Some syncs are failing' },
  unhealthy: { tone: 'danger', word: 'Most syncs are failing' },
};

/** Whether syncing works at all, in the last 24 hours. */
export function SyncHealth() {
  const health = useApiQuery(getSyncHealth, {}, { refetchInterval: 60_000 });
  return (
    <Section
      title="Syncing"
      actions={
        <PageLink to="/sync-logs" className={LINK_ALONE}>
          All syncs
        </PageLink>
      }
    >
      <Loaded query={health} lines={3}>
        {(found) => (
          <>
            <DefinitionList items={itemsOf(found)} />
            <Banners health={found} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function itemsOf(health: Health) {
  const { tone, word } = WORDS[health.overall_health];
  return [
    {
      term: 'State',
      value: health.scheduler.running ? (
        <Status tone={tone}>{word}</Status>
      ) : (
        <Status tone="danger">The scheduler is not running</Status>
      ),
    },
    { term: 'Last sync', value: <Instant at={health.last_sync_time} /> },
    { term: 'Next sync', value: <Instant isPlanned at={health.next_sync_time} never="none planned" /> },
    { term: 'In the last 24 hours', value: countsInWords(health) },
  ];
}

function countsInWords({
  recent_sync_count: count,
  recent_error_count: failed,
  running_count: running,
}: Health): string {
  const now = running > 0 ? `, ${inDigits(running)} running now` : '';
  return `${counted(count, 'sync')}, ${inDigits(failed)} failed${now}`;
}

/** Webhooks that were turned away: never having received one is no fault. */
function Banners({ health }: { health: Health }) {
  const refused = Object.entries(health.webhooks).filter(([, { rejected_count: count }]) => count > 0);
  return refused.map(([provider, { rejected_count: count, last_rejected_reason: reason }]) => (
    <p key={provider} className="mt-3 text-sm text-muted">
      {counted(count, 'webhook')} in the name of {provider === 'plaid' ? 'Plaid' : 'Teller'} rejected in the last 24
      hours: {reason === 'clock' ? 'check this server’s clock.' : 'the signature was wrong. Check the webhook secret.'}
    </p>
  ));
}

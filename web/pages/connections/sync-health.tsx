import type { OutputOf } from '../../../src/contract/operation.ts';
import { getSyncHealth } from '../../../src/features/sync/sync.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Facts } from '../../components/definition-list.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status, type StatusTone } from '../../components/status.tsx';
import { counted, inDigits } from '../../lib/numbers.ts';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';

type Health = OutputOf<typeof getSyncHealth>;

/** Whether syncing works: what is said of the last 24 hours is the server's. */
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
      <Loaded query={health} lines={2}>
        {(found) => (
          <>
            <Facts items={itemsOf(found)} />
            <Banners health={found} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function itemsOf(health: Health) {
  const { tone, word } = stateInWords(health);
  return [
    { term: 'State', value: <Status tone={tone}>{word}</Status> },
    { term: 'Last sync', value: <Instant at={health.last_sync_time} /> },
    { term: 'Next sync', value: <Instant isPlanned at={health.next_sync_time} never="none planned" /> },
    { term: 'In the last 24 hours', value: countsInWords(health) },
  ];
}

/** Banks that need a person come first; what the server tries again by itself is no warning. */
function stateInWords(health: Health): { tone: StatusTone; word: string } {
  const { connection_errors: stuck, recent_error_count: failed, overall_health: overall } = health;
  if (!health.scheduler.running) return { tone: 'danger', word: 'The scheduler is not running' };
  if (overall === 'unhealthy') return { tone: 'danger', word: 'Most syncs are failing' };
  if (overall === 'healthy') return { tone: 'success', word: 'All is well' };
  if (stuck > 0) return { tone: 'warning', word: `${counted(stuck, 'bank needs', 'banks need')} you` };
  return { tone: 'neutral', word: failed > 0 ? 'Some syncs failed' : 'Nothing has synced for a while' };
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

import {
  listNotificationDeliveries,
  retryNotificationDelivery,
} from '../../../src/features/notifications/notifications.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { ShowMore, useShown } from '../../components/show-more.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { showToast } from '../../components/toast-store.ts';
import { inDigits } from '../../lib/numbers.ts';
import { EVENTS, STATES, type Channel, type Delivery } from './notification-words.ts';

/** The newest messages, whatever became of them; more of them on request. */
export function Deliveries({ channels }: { channels: readonly Channel[] }) {
  const shown = useShown('messages');
  const deliveries = useApiQuery(
    listNotificationDeliveries,
    { query: { limit: String(shown.limit) } },
    { placeholderData: (earlier) => earlier, refetchInterval: 10_000 },
  );
  const nameOf = (id: string): string => channels.find((one) => one.id === id)?.name ?? 'A deleted channel';
  const columns: Column<Delivery>[] = [
    { title: 'Message', isRowHeader: true, cell: ({ event }) => EVENTS[event] },
    { title: 'Channel', cell: (one) => nameOf(one.channel_id) },
    { title: 'When', cell: (one) => <Instant at={one.created_at} /> },
    { title: 'Result', cell: (one) => <Result delivery={one} /> },
    { title: 'Actions', isActions: true, cell: (one) => <Retry delivery={one} to={nameOf(one.channel_id)} /> },
  ];
  return (
    <Section title="Messages">
      <Loaded query={deliveries} lines={4}>
        {(list) => (
          <DataTable
            caption="Messages, newest first"
            columns={columns}
            rows={list}
            keyOf={({ id }) => id}
            empty={<p className="text-muted">Nothing has been sent yet.</p>}
          />
        )}
      </Loaded>
      <ShowMore
        shown={shown}
        count={deliveries.data?.length ?? 0}
        busy={deliveries.isPlaceholderData}
        beyond="Older ones are in the API, at /notification-deliveries."
      />
    </Section>
  );
}

function Result({ delivery }: { delivery: Delivery }) {
  const { status, detail, attempts, next_attempt_at: next } = delivery;
  const { tone, word } = STATES[status];
  return (
    <>
      <Status tone={tone}>{word}</Status>
      {detail !== null && <span className="block text-sm text-muted">{detail}</span>}
      {attempts > 1 && <span className="block text-sm text-muted">{inDigits(attempts)} attempts</span>}
      {next !== null && (
        <span className="block text-sm text-muted">
          Next attempt <Instant isPlanned at={next} />
        </span>
      )}
    </>
  );
}

function Retry({ delivery: { id, status, event }, to }: { delivery: Delivery; to: string }) {
  const retry = useApiWrite(retryNotificationDelivery, {
    refreshes: [listNotificationDeliveries],
    onSuccess: () => showToast('The message is sent again.'),
  });
  if (status !== 'failed' || event === 'test') return null;
  return (
    <Button
      busy={retry.isPending}
      aria-label={`Send again to ${to}: ${EVENTS[event]}`}
      onClick={() => retry.mutate({ params: { id } })}
    >
      Send again
    </Button>
  );
}

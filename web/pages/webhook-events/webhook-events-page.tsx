import { Webhook } from 'lucide-react';
import { z } from 'zod';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { listWebhookEvents, replayWebhookEvent } from '../../../src/features/webhooks/webhooks.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSelect, optionsOf, useFilters } from '../../components/filters.tsx';
import { Instant } from '../../components/instant.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status, type StatusTone } from '../../components/status.tsx';
import { showToast } from '../../components/toast-store.ts';
import { inDigits } from '../../lib/numbers.ts';
import { BankFilters } from '../connections/bank-filters.tsx';
import { PROVIDER_NAMES } from '../connections/connection-words.ts';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';

type Event = OutputOf<typeof listWebhookEvents>['webhook_events'][number];

const PER_PAGE = 50;
const TYPES: Readonly<Record<Event['event_type'], string>> = {
  sync_available: 'New data',
  connection_error: 'The login broke',
  pending_expiration: 'A permission ends soon',
  new_accounts: 'New accounts at the bank',
  login_repaired: 'The login works again',
  access_revoked: 'Access was revoked',
  account_revoked: 'Access to one account was revoked',
  test: 'Test',
  unknown: 'Other',
};
const STATES: Readonly<Record<Event['status'], { tone: StatusTone; word: string }>> = {
  received: { tone: 'info', word: 'Being processed' },
  processed: { tone: 'success', word: 'Done' },
  error: { tone: 'danger', word: 'Failed' },
};
const Search = z.object({
  provider: z.enum(['plaid', 'teller']),
  status: z.enum(['received', 'processed', 'error']),
  event_type: z.string(),
  connection_id: z.string(),
  page: z.coerce.string(),
});
type Chosen = ReturnType<typeof useFilters<typeof Search>>['values'];

/** What bank providers announced, and what came of it. */
export default function WebhookEventsPage() {
  const { values, change, clear } = useFilters('/webhook-events', Search);
  const { page, ...filters } = values;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <PageHeader
        title="Webhook events"
        lead="What bank providers announced on their own. Webhooks only make new data arrive sooner; without them, banks are asked on schedule."
      />
      <Filters
        values={filters}
        onChange={(next) => change({ ...next, page: undefined })}
        onClear={isFiltered ? clear : undefined}
      />
      <Events
        filters={filters}
        page={Math.max(1, Number(page ?? 1) || 1)}
        isFiltered={isFiltered}
        onPage={(next) => change({ page: next === 1 ? undefined : String(next) })}
      />
    </>
  );
}

interface FiltersProps {
  values: Chosen;
  onChange: (next: Chosen) => void;
  onClear: (() => void) | undefined;
}

function Filters({ values, onChange, onClear }: FiltersProps) {
  return (
    <FilterBar onClear={onClear}>
      <BankFilters connectionId={values.connection_id} provider={values.provider} onChange={onChange} />
      <FilterSelect
        label="Event"
        all="All"
        value={values.event_type}
        options={optionsOf(TYPES, (label) => label)}
        onChange={(value) => onChange({ event_type: value })}
      />
      <FilterSelect
        label="Result"
        all="All"
        value={values.status}
        options={optionsOf(STATES, ({ word }) => word)}
        onChange={(value) => onChange({ status: value })}
      />
    </FilterBar>
  );
}

interface EventsProps {
  filters: Chosen;
  page: number;
  isFiltered: boolean;
  onPage: (page: number) => void;
}

function Events({ filters, page, isFiltered, onPage }: EventsProps) {
  const query = { ...filters, page: String(page), limit: String(PER_PAGE) };
  const events = useApiQuery(
    listWebhookEvents,
    { query: query as never },
    { placeholderData: (earlier) => earlier, refetchInterval: 30_000 },
  );
  return (
    <Section title="Events">
      <Loaded query={events} lines={8}>
        {({ webhook_events: list, total_pages: pages }) => (
          <>
            <DataTable
              caption="Webhook events, newest first"
              columns={COLUMNS}
              rows={list}
              keyOf={(one) => one.id}
              empty={<NoEvents isFiltered={isFiltered} />}
            />
            <Pager
              label="webhook events"
              hasPrevious={page > 1}
              hasNext={page < pages}
              busy={events.isPlaceholderData}
              onPrevious={() => onPage(page - 1)}
              onNext={() => onPage(page + 1)}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const COLUMNS: readonly Column<Event>[] = [
  {
    title: 'Event',
    isRowHeader: true,
    cell: (one) => (
      <>
        {TYPES[one.event_type]}
        <span className="block text-sm font-normal text-muted">{PROVIDER_NAMES[one.provider]}</span>
      </>
    ),
  },
  {
    title: 'Bank',
    cell: (one) =>
      one.connection_id === null ? (
        <span className="text-muted">No connection of yours</span>
      ) : (
        <PageLink to="/connections/{id}" params={{ id: one.connection_id }} className={LINK_ALONE}>
          <bdi>{one.institution_name ?? 'A bank'}</bdi>
        </PageLink>
      ),
  },
  { title: 'Result', cell: (one) => <Result event={one} /> },
  { title: 'Received', cell: (one) => <Instant at={one.created_at} /> },
  { title: 'Deliveries', align: 'end', cell: (one) => inDigits(one.delivery_count) },
  { title: 'Hash', cell: (one) => <Hash hash={one.raw_payload_hash} /> },
  { title: 'Actions', isActions: true, cell: (one) => <Replay event={one} /> },
];

function Result({ event }: { event: Event }) {
  const { tone, word } = STATES[event.status];
  return (
    <>
      <Status tone={tone}>{word}</Status>
      {event.error_message !== null && <span className="mt-1 block text-sm text-muted">{event.error_message}</span>}
    </>
  );
}

function Hash({ hash }: { hash: string }) {
  return (
    <span className="font-mono text-sm" title={hash}>
      {hash.slice(0, 8)}…
    </span>
  );
}

function Replay({ event }: { event: Event }) {
  const right = useReasonAgainst('full_access');
  const replay = useApiWrite(replayWebhookEvent, { onSuccess: ({ message }) => showToast(message) });
  return (
    <Button
      busy={replay.isPending}
      disabledReason={right}
      aria-label={`Replay: ${TYPES[event.event_type]}`}
      onClick={() => replay.mutate({ params: { id: event.id }, body: {} })}
    >
      Replay
    </Button>
  );
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState icon={Webhook} title={isFiltered ? 'No event matches the filters' : 'Nothing received yet'}>
      {isFiltered
        ? 'Clear the filters to see the others.'
        : 'That is fine: most homes cannot be reached from the internet, and banks are asked on schedule anyway.'}
    </EmptyState>
  );
}

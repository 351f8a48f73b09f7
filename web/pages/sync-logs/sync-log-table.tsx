import type { ReactNode } from 'react';

import { DataTable, type Column } from '../../components/data-table.tsx';
import { Instant } from '../../components/instant.tsx';
import { Status } from '../../components/status.tsx';
import { counted, durationInWords } from '../../lib/numbers.ts';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';
import { outcomeOf, STATUS_WORDS, TRIGGER_WORDS, type SyncLog } from './sync-log-words.ts';

interface SyncLogTableProps {
  list: readonly SyncLog[];
  withBank: boolean;
  empty: ReactNode;
}

export function SyncLogTable({ list, withBank, empty }: SyncLogTableProps) {
  const columns: Column<SyncLog>[] = [
    {
      title: 'Started',
      isRowHeader: true,
      cell: (log) => (
        <PageLink to="/sync-logs/{id}" params={{ id: log.short_id }} className={LINK_ALONE}>
          <Instant at={log.started_at} />
        </PageLink>
      ),
    },
    ...(withBank ? [{ title: 'Bank', cell: (log: SyncLog) => <Bank log={log} /> }] : []),
    { title: 'Why', cell: (log) => TRIGGER_WORDS[log.trigger] },
    { title: 'Result', cell: (log) => <Result log={log} /> },
    { title: 'Took', align: 'end', cell: (log) => durationInWords(log.duration_ms) },
  ];
  return (
    <DataTable caption="Syncs, newest first" columns={columns} rows={list} keyOf={(log) => log.id} empty={empty} />
  );
}

function Bank({ log }: { log: SyncLog }) {
  return (
    <PageLink to="/connections/{id}" params={{ id: log.connection_id }} className={LINK_ALONE}>
      <bdi>{log.institution_name ?? 'A bank'}</bdi>
    </PageLink>
  );
}

function Result({ log }: { log: SyncLog }) {
  const { tone, word } = STATUS_WORDS[log.status];
  return (
    <>
      <Status tone={tone}>{word}</Status>
      <span className="mt-1 block text-sm text-muted">{outcomeOf(log)}</span>
      {log.warning_count > 0 && (
        <span className="block text-sm text-muted">{counted(log.warning_count, 'warning')}</span>
      )}
    </>
  );
}

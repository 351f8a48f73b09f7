import type { ReactNode } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { listRuleHistory } from '../../../src/features/rules/rule-insights.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { SetLink } from '../../components/changes/set-link.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { ShowMore, useShown } from '../../components/show-more.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { inDigits } from '../../lib/numbers.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';

type Run = OutputOf<typeof listRuleHistory>['history'][number];

/** The API lists at most 100. */
const AT_ONCE = 10;

/** The newest runs in which the rule matched, with what it changed in each. */
export function RuleRuns({ ruleId }: { ruleId: string }) {
  const shown = useShown('runs', AT_ONCE);
  const limit = Math.min(shown.limit, 100);
  const runs = useApiQuery(
    listRuleHistory,
    { params: { id: ruleId }, query: { limit: String(limit) } },
    { placeholderData: (earlier) => earlier },
  );
  return (
    <Section title="Newest runs">
      <Loaded query={runs} lines={4}>
        {({ history }) => (
          <>
            <DataTable
              caption="The newest runs in which it matched"
              columns={COLUMNS}
              rows={history}
              keyOf={(run) => `${run.started_at} ${run.sync_id ?? run.import_id ?? run.change_set_id ?? run.run_type}`}
              empty={<p className="text-muted">It has not matched in any run that is still kept.</p>}
            />
            {limit < 100 && <ShowMore shown={shown} count={history.length} busy={runs.isPlaceholderData} beyond="" />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

const COLUMNS: readonly Column<Run>[] = [
  { title: 'Run', isRowHeader: true, cell: (run) => <What run={run} /> },
  { title: 'When', cell: ({ started_at: at }) => <Instant at={at} /> },
  { title: 'Matched', align: 'end', cell: ({ hit_count: count }) => inDigits(count) },
  { title: 'Changed', align: 'end', cell: ({ changed_count: count }) => inDigits(count) },
  { title: 'Result', cell: (run) => <Result run={run} /> },
];

function What({ run }: { run: Run }): ReactNode {
  const { run_type: type, sync_id: sync, import_id: file, institution } = run;
  if (type === 'sync') {
    const words = institution === null ? 'Sync' : `Sync of ${institution}`;
    return sync === null ? words : <Leads to="/sync-logs/{id}" id={sync} words={words} />;
  }
  if (type === 'import') return file === null ? 'Import' : <Leads to="/imports/{id}" id={file} words="Import" />;
  return type === 'apply' ? 'Applied alone' : 'All rules applied';
}

function Leads({ to, id, words }: { to: '/sync-logs/{id}' | '/imports/{id}'; id: string; words: string }) {
  return (
    <PageLink to={to} params={{ id }} className={LINK}>
      {words}
    </PageLink>
  );
}

/** What came of it, and whether that was undone since. */
function Result({ run: { status, change_set_id: set } }: { run: Run }): ReactNode {
  if (status === 'in_progress') return <Status tone="info">Runs now</Status>;
  const failed = status === 'error' && <Status tone="danger">Failed</Status>;
  if (set === null) return failed || <span className="text-muted">Nothing changed</span>;
  return (
    <span className="text-sm">
      {failed} <SetLink id={set} withState />
    </span>
  );
}

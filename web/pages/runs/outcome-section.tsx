import { Undo2 } from 'lucide-react';
import { useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { listChangeSets, revertChangeSet } from '../../../src/features/change-sets/change-sets.contract.ts';
import { refresh, useApiQuery } from '../../api/queries.ts';
import { api } from '../../api/client.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Undone } from '../../components/changes/undone.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { counted } from '../../lib/numbers.ts';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';
import type { Run } from './run-words.ts';

type ChangeSet = OutputOf<typeof listChangeSets>['change_sets'][number];
const MOST = 500;

/** What the run has left: its last words, reports, its proposal, and what it changed. */
export function OutcomeSection({ run }: { run: Run }) {
  const { result_text: text, report_ids: reports, proposal_id: proposal, change_set_count: count } = run;
  if (text === null && reports.length === 0 && proposal === null && count === 0) return null;
  return (
    <Section title="What came of it">
      {text !== null && (
        <div className="mb-4">
          <p className="text-sm text-muted">Written by a model.</p>
          <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
        </div>
      )}
      <ul className="space-y-2">
        {proposal !== null && (
          <li>
            <PageLink to="/proposals/{id}" params={{ id: proposal }} className={LINK_ALONE}>
              Open its proposal
            </PageLink>
          </li>
        )}
        {reports.map((id, index) => (
          <li key={id}>
            <PageLink to="/reports/{id}" params={{ id }} className={LINK_ALONE}>
              {reports.length === 1 ? 'Read its report' : `Read its report ${index + 1}`}
            </PageLink>
          </li>
        ))}
      </ul>
      {count > 0 && <ChangeSets run={run} />}
    </Section>
  );
}

function ChangeSets({ run }: { run: Run }) {
  const sets = useApiQuery(
    listChangeSets,
    { query: { workflow_run_id: run.id, limit: String(MOST) } },
    { placeholderData: (earlier) => earlier },
  );
  return (
    <div className="mt-4">
      <h3 className="mb-2 font-semibold">What it changed, newest first</h3>
      <Loaded query={sets} lines={3}>
        {({ change_sets: found }) => (
          <>
            <ul className="mb-4 divide-y divide-line">
              {found.map((one) => (
                <li key={one.id} className="py-2">
                  <PageLink to="/history/{id}" params={{ id: one.short_id }} className={`${LINK_ALONE} wrap-anywhere`}>
                    {one.summary}
                  </PageLink>{' '}
                  <span className="text-sm text-muted">
                    <Instant at={one.created_at} />
                  </span>{' '}
                  <Undone status={one.status} />
                </li>
              ))}
            </ul>
            <RevertAll run={run} sets={found.filter(({ status, revertible }) => revertible && status !== 'reverted')} />
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Newest first, because later changes may build on earlier ones; what cannot be undone stops it, and says why. */
function RevertAll({ run, sets }: { run: Run; sets: readonly ChangeSet[] }) {
  const [isOpen, setOpen] = useState(false);
  const right = useReasonAgainst('full_access');
  const isRunning = run.status === 'in_progress';
  const none = sets.length === 0 ? 'There is nothing left to undo.' : undefined;
  const reason = right ?? (isRunning ? 'Wait until the run has ended, or cancel it.' : none);
  const words = counted(sets.length, 'change');
  return (
    <>
      <Button icon={Undo2} disabledReason={reason} onClick={() => setOpen(true)}>
        Undo all that it changed
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={`Undo ${words} of this run?`}
        action="Undo"
        onClose={() => setOpen(false)}
        onConfirm={async () => {
          try {
            for (const { id } of sets) await api.call(revertChangeSet, { params: { id }, body: {} });
          } finally {
            await refresh();
          }
        }}
      >
        They are undone one by one, newest first. If something has changed since, that one and those before it stay.
      </ConfirmDialog>
    </>
  );
}

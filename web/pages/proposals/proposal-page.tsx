import { useMemo, useState } from 'react';

import { BackLink } from '../../components/back-link.tsx';
import { Banner } from '../../components/banner.tsx';
import { Facts, type Definition } from '../../components/definition-list.tsx';
import { Instant } from '../../components/instant.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { focusRow, unlessControl, usePageKeys } from '../../layout/page-keys.ts';
import { counted, inDigits } from '../../lib/numbers.ts';
import { LINK, PageLink, usePageParams } from '../../lib/page-link.tsx';
import { ChangeGroups, Conflicts, ROW } from './change-groups.tsx';
import { Decision } from './decision.tsx';
import { countsInWords, STATUS_WORDS, titleOf, TotalsList } from './proposal-words.tsx';
import { usePlan, type Plan } from './use-plan.ts';
import { SetLink } from '../../components/changes/set-link.tsx';
import { Undone } from '../../components/changes/undone.tsx';
import { PlannedNames } from '../../components/changes/value-name.tsx';

/** One plan of an agent: what it would change, row by row, and the decision about it. */
export default function ProposalPage() {
  const { id = '' } = usePageParams();
  const plan = usePlan(id);
  const [firstSeen, setFirstSeen] = useState<string>();
  if (plan.data && firstSeen === undefined) setFirstSeen(plan.data.fingerprint);
  return (
    <>
      <BackLink to="/proposals">Proposals</BackLink>
      {plan.data === undefined && <PageHeader title="Proposal" />}
      <Loaded query={plan} lines={8}>
        {(found) => (
          <>
            <PageHeader title={titleOf(found)} lead={<Origin plan={found} />} />
            {found.fingerprint !== firstSeen && found.status === 'proposed' && (
              <Banner tone="warning">
                The plan has grown since you opened it. Look at it again before you decide.
              </Banner>
            )}
            <PlanView key={found.fingerprint} plan={found} onReload={() => void plan.refetch()} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** Who made it, and the run in which that happened. */
function Origin({ plan: { proposed_by: by, run_id: runId } }: { plan: Plan }) {
  if (runId === null) return <>Prepared by {by.name}.</>;
  return (
    <>
      Prepared by the workflow “{by.name}” in{' '}
      <PageLink to="/runs/{id}" params={{ id: runId }} className={LINK}>
        this run
      </PageLink>
      .
    </>
  );
}

/** Starts fresh when the plan has grown: what was ticked is about what was shown. */
function PlanView({ plan, onReload }: { plan: Plan; onReload: () => void }) {
  const [left, leave] = useState<ReadonlySet<number>>(new Set());
  const names = useMemo(() => plannedNames(plan), [plan]);
  const isOpen = plan.status === 'proposed';
  const toggle = (sequences: readonly number[], isTaken: boolean): void => {
    const next = new Set(left);
    for (const one of sequences)
      if (isTaken) next.delete(one);
      else next.add(one);
    leave(next);
  };
  usePageKeys({
    j: () => focusRow(ROW, 1),
    k: () => focusRow(ROW, -1),
    Enter: unlessControl(() => {
      const row = document.activeElement?.closest(`[${ROW}]`);
      row?.querySelector('a')?.click();
    }),
    x: () => {
      const row = document.activeElement?.closest(`[${ROW}]`);
      row?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
    },
  });
  return (
    <PlannedNames value={names}>
      <Summary plan={plan} />
      <Reasons plan={plan} />
      {isOpen && <Conflicts changes={plan.changes.filter(({ conflict }) => conflict !== null)} />}
      <Section title="Changes">
        <ChangeGroups changes={plan.changes} left={left} onToggle={isOpen ? toggle : undefined} />
      </Section>
      {isOpen && <Decision plan={plan} left={[...left]} onReload={onReload} />}
    </PlannedNames>
  );
}

function plannedNames({ changes }: Plan): ReadonlyMap<string, string> {
  const made = changes.filter(({ operation }) => operation === 'create');
  return new Map(made.flatMap(({ entity_id: id, label }) => (id === null ? [] : [[id, label] as const])));
}

function Summary({ plan }: { plan: Plan }) {
  const items: Definition[] = [
    { term: 'State', value: <State plan={plan} /> },
    { term: 'Would change', value: countsInWords(plan.counts) },
    { term: 'Transactions touched', value: <TotalsList totals={plan.totals} /> },
    { term: 'Made', value: <Instant at={plan.proposed_at ?? plan.created_at} /> },
  ];
  if (plan.status === 'proposed') items.push({ term: 'Expires', value: <Instant isPlanned at={plan.expires_at} /> });
  else if (plan.decided_at !== null) items.push(decided(plan));
  if (plan.status === 'applied') {
    const set = plan.change_set_id;
    items.push({
      term: 'Written',
      value: writtenInWords(plan),
      ...(set === null ? {} : { note: <SetLink id={set} /> }),
    });
  }
  return (
    <Section title="Summary">
      <Facts items={items} />
    </Section>
  );
}

/** What was decided, and whether it still holds. */
function State({ plan: { status, change_set_status: became } }: { plan: Plan }) {
  const { tone, word } = STATUS_WORDS[status];
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Status tone={tone}>{word}</Status>
      <Undone status={became} />
    </span>
  );
}

function decided({ decided_at: at, decided_by: by, decision_note: note }: Plan): Definition {
  const value = (
    <>
      {by?.name ?? 'Someone'}, <Instant at={at} />
    </>
  );
  return { term: 'Decided', value, ...(note === null ? {} : { note }) };
}

function writtenInWords({ applied_count: applied, skipped_count: skipped }: Plan): string {
  const written = counted(applied, 'change');
  return skipped === 0 ? written : `${written}; ${inDigits(skipped)} left out`;
}

/** What the agent says about its plan: its words, not ours. */
function Reasons({ plan }: { plan: Plan }) {
  const said = plan.calls.filter(({ reason }) => reason !== null);
  if (said.length === 0) return null;
  return (
    <Section title="What the agent says">
      <p className="text-sm text-muted">Written by an agent. Judge the changes, not the words.</p>
      <ul className="mt-2 space-y-2">
        {said.map(({ call, reason, change_count: count }) => (
          <li key={call}>
            <q className="wrap-anywhere">{reason}</q>{' '}
            <span className="text-sm text-muted">{counted(count, 'change')}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

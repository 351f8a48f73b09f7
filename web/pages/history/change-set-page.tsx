import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { getChangeSet } from '../../../src/features/change-sets/change-sets.contract.ts';
import { queryOptions } from '../../api/queries.ts';
import { useTimezone } from '../../api/timezone.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Button } from '../../components/button.tsx';
import {
  actionInWords,
  countsOfSet,
  listNameOf,
  SOURCE_WORDS,
  SURFACE_WORDS,
  type ChangeSet,
} from '../../components/changes/change-set-words.ts';
import { ChangesOfSet } from '../../components/changes/changes-of-set.tsx';
import { SetLink } from '../../components/changes/set-link.tsx';
import { Undone } from '../../components/changes/undone.tsx';
import { useUndo } from '../../components/changes/use-undo.tsx';
import { DefinitionList, type Definition } from '../../components/definition-list.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { instantInWords } from '../../lib/instants.ts';
import { LINK, PageLink, usePageParams } from '../../lib/page-link.tsx';
import { PageLinkIfThere } from '../../lib/page-link-if-there.tsx';

type Detail = OutputOf<typeof getChangeSet>;
const PER_PAGE = '100';

/** One change set: who did it and why, each record before and after, and the way back. */
export default function ChangeSetPage() {
  const { id = '' } = usePageParams();
  const pages = useChanges(id);
  return (
    <>
      <BackLink to="/history">History</BackLink>
      {pages.data === undefined && <PageHeader title="Change" />}
      <Loaded query={pages} lines={8}>
        {({ pages: [first, ...others] }) => (
          <ChangeSetView
            key={id}
            set={first as Detail}
            changes={[first as Detail, ...others].flatMap(({ changes }) => changes)}
            more={
              pages.hasNextPage && (
                <div className="mt-4 text-center">
                  <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                    Show more
                  </Button>
                </div>
              )
            }
          />
        )}
      </Loaded>
    </>
  );
}

function useChanges(id: string) {
  const input = { params: { id }, query: { limit: PER_PAGE } };
  return useInfiniteQuery({
    queryKey: [...queryOptions(getChangeSet, input).queryKey, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      queryOptions(getChangeSet, {
        ...input,
        query: { ...input.query, ...(pageParam && { cursor: pageParam }) },
      }).queryFn({ signal }),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.next_cursor : undefined),
  });
}

interface ChangeSetViewProps {
  set: Detail;
  changes: Detail['changes'];
  more: React.ReactNode;
}

function ChangeSetView({ set, changes, more }: ChangeSetViewProps) {
  const names = useMemo(
    () =>
      new Map(
        changes.flatMap(({ entity_id: id, label }) => (id === null || label === null ? [] : [[id, label] as const])),
      ),
    [changes],
  );
  const { button, panel } = useUndo(set, names);
  return (
    <>
      <PageHeader title={set.summary} actions={button} />
      <div className="mb-6 empty:hidden">{panel}</div>
      <Section title="What happened">
        <DefinitionList items={useFacts(set)} />
      </Section>
      <Section title="Changes">
        <ChangesOfSet changes={changes} />
        {more}
      </Section>
    </>
  );
}

function useFacts(set: Detail): Definition[] {
  const timezone = useTimezone();
  const facts: Definition[] = [
    { term: 'Who', value: <Actor set={set} /> },
    { term: 'When', value: <time dateTime={set.created_at}>{instantInWords(set.created_at, timezone)}</time> },
    { term: 'Through', value: `${SURFACE_WORDS[set.surface]} (${SOURCE_WORDS[set.source]})` },
    ...(set.reason === null ? [] : [{ term: 'Why', value: <q>{set.reason}</q> }]),
    { term: 'What', value: <What set={set} />, note: countsOfSet(set) },
    ...originsOf(set),
    { term: 'State', value: <State set={set} /> },
  ];
  return facts;
}

function Actor({ set: { actor_id: id, actor_type: type, actor_name: name } }: { set: ChangeSet }) {
  const search = id === null ? { actor_type: type } : { actor_id: id };
  return (
    <PageLink to="/history" search={search} className={LINK}>
      <bdi>{name}</bdi>
    </PageLink>
  );
}

function What({ set: { action, entity_types: types } }: { set: ChangeSet }) {
  return (
    <>
      <PageLink to="/history" search={{ action }} className={LINK}>
        {actionInWords(action)}
      </PageLink>
      {types.length > 0 && ` (${types.map((type) => listNameOf(type).toLowerCase()).join(', ')})`}
    </>
  );
}

/** Where it came from, if that has a page of its own. */
function originsOf(set: ChangeSet): Definition[] {
  const places = [
    { term: 'Import', page: '/imports/{id}', id: set.import_id, text: 'Open the import' },
    { term: 'Sync', page: '/sync-logs/{id}', id: set.sync_log_id, text: 'Open the sync' },
    { term: 'Run', page: '/runs/{id}', id: set.workflow_run_id, text: 'Open the run' },
    { term: 'Proposal', page: '/proposals/{id}', id: set.proposal_id, text: 'Open the proposal' },
    { term: 'Rule', page: '/rules/{id}', id: set.rule_id, text: 'Open the rule' },
  ] as const;
  return places.flatMap(({ term, page, id, text }) =>
    id === null
      ? []
      : [
          {
            term,
            value: (
              <PageLinkIfThere to={page} params={{ id }} otherwise={term}>
                {(link) => link(text, LINK)}
              </PageLinkIfThere>
            ),
          },
        ],
  );
}

/** Whether it is in force; both sides of an undo lead to each other. */
function State({ set }: { set: ChangeSet }) {
  const { status, reverts_change_set_id: reverts, reverted_by_change_set_id: by } = set;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {status === 'applied' ? <Status tone="success">In force</Status> : <Undone status={status} />}
      {by !== null && (
        <span>
          by <SetLink id={by} />
        </span>
      )}
      {reverts !== null && (
        <span>
          It undid <SetLink id={reverts} />
        </span>
      )}
    </span>
  );
}

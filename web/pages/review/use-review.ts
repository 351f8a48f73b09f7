import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import { getReview } from '../../../src/features/review/review.contract.ts';
import { bulkUpdateTransactions } from '../../../src/features/transactions/transaction-bulk.contract.ts';
import { api, ApiError, messageOf } from '../../api/client.ts';
import { keyOf, queryClient, queryOptions, refresh, useApiQuery } from '../../api/queries.ts';
import { undoAll } from '../../api/undo.ts';
import { makeRule } from '../../components/transaction/always-file.tsx';
import { randomId } from '../../lib/random-id.ts';
import { totalOf, type Changes, type Group, type Reason, type Review } from './review-words.ts';

const GROUPS_AT_ONCE = 100;
const IDLE_MS = 1_000;

/** What a person decides about rows of a group. */
export interface Decision {
  group: Group;
  ids: readonly string[];
  changes: Changes;
  /** "REWE: 6 rows are right" */
  says: string;
  /** Counted in the summary. */
  category?: string;
  /** The rule as well: for rows like this one. */
  ruleFor?: { id: string; name: string };
  /** The group stays, because this is not what it waits for. */
  keeps?: boolean;
}

/** What was done, which `z` takes back. */
export interface Done {
  says: string;
  /** Rows. */
  count: number;
  category?: string | undefined;
  hasRule?: boolean;
  /** The key of the group. */
  key?: string;
  changeSetIds: readonly string[];
}

export interface ReviewState {
  query: ReturnType<typeof useApiQuery<typeof getReview>>;
  /** What is still to be looked at, skipped ones last. */
  groups: readonly Group[];
  current: Group | undefined;
  /** Rows that wait, those beyond the groups included. */
  left: number;
  done: readonly Done[];
  /** The newest thing that was said, for screen readers and for the eye. */
  notice: Notice;
  isUndoing: boolean;
  show: (key: string | undefined) => void;
  step: (by: 1 | -1) => void;
  skip: (group: Group) => void;
  decide: (decision: Decision) => void;
  undo: () => void;
  /** What was done in another way than by a decision. */
  note: (done: Done) => void;
  reload: () => Promise<void>;
}

export interface Notice {
  text: string;
  isWarning: boolean;
}

const NOTHING_SAID: Notice = { text: '', isWarning: false };
const CHANGED = 'has changed meanwhile, so nothing was written. Look at it again.';

/** Group by group: decisions leave the page at once, and are written one after another behind it. */
export function useReview(filters: { reason?: Reason | undefined }): ReviewState {
  const input = useMemo(() => inputOf(filters.reason), [filters.reason]);
  const query = useApiQuery(getReview, input, { placeholderData: (earlier) => earlier });
  const turn = useTurn(query.data);
  const [done, setDone] = useState<readonly Done[]>([]);
  const [notice, setNotice] = useState<Notice>(NOTHING_SAID);
  const [isUndoing, setUndoing] = useState(false);
  const { enqueue, reload } = useWriter(input, turn.unhide);
  const say = (text: string, isWarning = false): void => setNotice({ text, isWarning });
  // The newest one may be undone before the page has shown that it is done.
  const stack = useRef<readonly Done[]>([]);
  const keep = (next: readonly Done[]): void => {
    stack.current = next;
    setDone(next);
  };
  const decide = (decision: Decision): void => {
    const { group } = decision;
    turn.pass(decision);
    say(decision.says);
    enqueue(async (fresh) => {
      try {
        const changeSetIds = await write(decision, fresh);
        keep([...stack.current, doneBy(decision, changeSetIds)]);
      } catch (error) {
        turn.unhide([group.key]);
        turn.show(nowIn(fresh, decision)?.key ?? group.key);
        say(isAboutChange(error) ? `${group.label} ${CHANGED}` : `${group.label}: ${messageOf(error)}`, true);
      }
    });
  };
  const undo = (): void => {
    setUndoing(true);
    enqueue(async () => {
      const last = stack.current.at(-1);
      try {
        if (!last) return;
        await undoAll(last.changeSetIds);
        say(`Undone: ${last.says}`);
        if (last.key !== undefined) turn.unhide([last.key]);
        turn.show(last.key);
        keep(stack.current.slice(0, -1));
      } catch (error) {
        // What cannot be undone must not stand in the way of what was done before it.
        if (error instanceof ApiError && error.status < 500) keep(stack.current.slice(0, -1));
        say(messageOf(error), true);
      } finally {
        setUndoing(false);
      }
    });
  };
  const note = (one: Done): void => {
    keep([...stack.current, one]);
    say(one.says);
  };
  return { ...turn, query, done, notice, isUndoing, decide, undo, note, reload };
}

/** Which groups are still to be looked at, and which of them is the current one. */
function useTurn(review: Review | undefined) {
  /** Rows that were decided and may not be written yet, by the key of their group. */
  const [hidden, setHidden] = useState<ReadonlyMap<string, number>>(new Map());
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [wanted, show] = useState<string>();
  const groups = useMemo(() => inTurn(review, hidden, skipped), [review, hidden, skipped]);
  const current = groups.find(({ key }) => key === wanted) ?? groups[0];
  const unhide = useCallback((keys: readonly string[]) => {
    setHidden((before) => new Map([...before].filter(([key]) => !keys.includes(key))));
  }, []);
  const at = ({ key }: Group): number => groups.findIndex((group) => group.key === key);
  const putLast = ({ key }: Group): void => setSkipped((before) => [...before.filter((one) => one !== key), key]);
  return {
    groups,
    current,
    left: leftOf(review, hidden),
    show,
    unhide,
    /** Goes on to the next group after a decision. What is left of a group that was decided in part comes last. */
    pass: ({ group, ids, keeps = false }: Decision): void => {
      if (ids.length < group.transaction_ids.length) putLast(group);
      if (keeps) return;
      show((groups[at(group) + 1] ?? groups[at(group) - 1])?.key);
      setHidden((before) => new Map(before).set(group.key, ids.length));
    },
    step: (by: 1 | -1): void => {
      const next = current && groups[at(current) + by];
      if (next) show(next.key);
    },
    skip: (group: Group): void => {
      show((groups[at(group) + 1] ?? groups[0])?.key);
      putLast(group);
    },
  };
}

function doneBy({ group, ids, says, category, ruleFor }: Decision, changeSetIds: readonly string[]): Done {
  return { says, count: ids.length, category, hasRule: ruleFor !== undefined, key: group.key, changeSetIds };
}

function inputOf(reason: Reason | undefined) {
  return { query: { limit: String(GROUPS_AT_ONCE), ...(reason === undefined ? {} : { reason }) } };
}

function inTurn(review: Review | undefined, hidden: ReadonlyMap<string, number>, skipped: readonly string[]): Group[] {
  const open = (review?.groups ?? []).filter(({ key }) => !hidden.has(key));
  const place = ({ key }: Group): number => skipped.lastIndexOf(key);
  return open.toSorted((one, other) => place(one) - place(other));
}

function leftOf(review: Review | undefined, hidden: ReadonlyMap<string, number>): number {
  if (!review) return 0;
  const gone = review.groups.reduce((sum, { key, transaction_count: count }) => {
    return sum + Math.min(hidden.get(key) ?? 0, count);
  }, 0);
  return totalOf(review.total_rows) - gone;
}

/** The group that has the rows now. */
function nowIn(fresh: Review | Error, { ids }: Decision): Group | undefined {
  if (fresh instanceof Error) return undefined;
  return fresh.groups.find(({ transaction_ids: all }) => all.some((id) => ids.includes(id)));
}

class Changed extends Error {}

/** What the server refuses because rows are gone or others, or what we found so ourselves. */
function isAboutChange(error: unknown): boolean {
  if (error instanceof Changed) return true;
  return error instanceof ApiError && (error.code === 'CONFLICT' || error.code === 'INVALID_PARAMETER');
}

/** @throws Changed if a row is no longer as it was shown */
async function write({ group, ids, changes, ruleFor }: Decision, fresh: Review | Error): Promise<string[]> {
  if (fresh instanceof Error) throw fresh;
  const now = fresh.groups.find(({ key }) => key === group.key);
  const there = new Set(now?.transaction_ids);
  if (!ids.every((id) => there.has(id))) throw new Changed();
  const { changeSetId } = await api.send(
    bulkUpdateTransactions,
    { body: { transaction_ids: [...ids], changes, expected_count: ids.length } },
    { idempotencyKey: randomId() },
  );
  const written = changeSetId === null ? [] : [changeSetId];
  const [like] = group.sample;
  if (!ruleFor || !like) return written;
  try {
    return [...written, ...(await makeRule(like, ruleFor)).changeSetIds];
  } catch (error) {
    await undoAll(written);
    throw error;
  }
}

/** It never throws. `fresh`: the review as it is now, or why that is not known. */
type Job = (fresh: Review | Error) => Promise<void>;

/**
 * Writes in the order of the keys, and looks first whether the groups are still as they were shown. All that waits meanwhile
 * needs one look.
 */
function useWriter(input: ReturnType<typeof inputOf>, unhide: (keys: readonly string[]) => void) {
  const waiting = useRef<Job[]>([]);
  const isBusy = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const look = (): Promise<Review> => queryClient.fetchQuery({ ...queryOptions(getReview, input), staleTime: 0 });
  const reload = async (): Promise<void> => {
    await queryClient.cancelQueries({ queryKey: keyOf(getReview) });
    const fresh = await look().catch(() => undefined);
    if (!fresh) return;
    // A group that is there all the same has rows left, or was not written.
    if (!isBusy.current) unhide(fresh.groups.map(({ key }) => key));
  };
  const work = async (): Promise<void> => {
    isBusy.current = true;
    try {
      while (waiting.current.length > 0) {
        const jobs = waiting.current.splice(0);
        const fresh = await look().catch((error: unknown) =>
          error instanceof Error ? error : new Error(String(error)),
        );
        for (const job of jobs) await job(fresh);
      }
    } finally {
      isBusy.current = false;
    }
    // Everything else that shows transactions is old now, but only what is on this page is read again.
    await queryClient.invalidateQueries({
      predicate: ({ queryKey: [name] }) => name !== getReview.name,
      refetchType: 'none',
    });
    await refresh([getOverview]);
    timer.current = setTimeout(() => void reload(), IDLE_MS);
  };
  return {
    enqueue: (job: Job): void => {
      clearTimeout(timer.current);
      waiting.current.push(job);
      if (!isBusy.current) void work();
    },
    reload,
  };
}

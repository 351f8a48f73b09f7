import { useState } from 'react';

import { useReasonAgainst } from '../../api/session.ts';
import { usePageKeys } from '../../layout/page-keys.ts';
import { useCategories } from '../../api/lists.ts';
import { changesFor, rightFor, rowsOf, type Group } from './review-words.ts';
import type { Decision, ReviewState } from './use-review.ts';

/** What is open in the current group. */
export type Opened = 'category' | 'category with rule' | 'comment' | null;

export interface ReviewActions {
  opened: Opened;
  areRowsOpen: boolean;
  /** Rows that were ticked off. */
  left: ReadonlySet<string>;
  /** Why nothing can be decided. */
  disabledReason: string | undefined;
  tick: (id: string, isTicked: boolean) => void;
  toggleRows: () => void;
  open: (what: Opened) => void;
  right: () => void;
  choose: (categoryId: string | null) => void;
  rule: () => void;
  skip: () => void;
  comment: (text: string) => void;
}

const NONE: ReadonlySet<string> = new Set();

/** What can be done with the current group, by buttons and by keys. */
export function useReviewKeys(review: ReviewState): ReviewActions {
  const { current } = review;
  const categories = useCategories();
  const viewer = useReasonAgainst('full_access');
  const [shown, setShown] = useState<{ key: string; opened: Opened; rows: boolean; left: ReadonlySet<string> }>();
  const own = shown !== undefined && shown.key === current?.key ? shown : undefined;
  const { opened = null, rows = false, left = NONE } = own ?? {};
  const change = (next: Partial<NonNullable<typeof shown>>): void => {
    if (current) setShown({ key: current.key, opened, rows, left, ...next });
  };
  // What is left of a group keeps its key, and none of what was ticked off or opened.
  const decide = (decision: Decision): void => {
    setShown(undefined);
    review.decide(decision);
  };
  const ids = current?.transaction_ids.filter((id) => !left.has(id)) ?? [];
  const nothing = current && ids.length === 0 ? 'No row of the group is ticked.' : undefined;
  const disabledReason = viewer ?? nothing;
  const may = (run: (group: Group) => void) => (): void => {
    if (current && disabledReason === undefined) run(current);
  };
  const nameOf = (id: string | null | undefined): string =>
    id === null || id === undefined ? 'no category' : (categories?.get(id)?.name ?? 'another category');
  const say = (group: Group, what: string): string => `${group.label}: ${rowsOf(ids.length)} ${what}.`;

  const put = (group: Group, categoryId: string | null, withRule: boolean): void => {
    const name = nameOf(categoryId);
    const isKept = group.reason === 'flagged';
    const toRule = withRule && categoryId !== null ? { ruleFor: { id: categoryId, name } } : {};
    decide({
      group,
      ids,
      changes: changesFor(group, categoryId),
      category: name,
      says: say(group, `in ${name}${withRule ? ', and from now on' : ''}`),
      ...toRule,
      ...(isKept ? { keeps: true } : {}),
    });
  };
  const right = may((group) => {
    const { changes, does } = rightFor(group);
    const given = 'category_id' in changes ? nameOf(changes.category_id) : undefined;
    const what = given === undefined ? (does === 'Right' ? 'are right' : 'without flag') : `in ${given}`;
    decide({ group, ids, changes, says: say(group, what), ...(given === undefined ? {} : { category: given }) });
  });
  const rule = may((group) => {
    if (group.guess) put(group, group.guess.category_id, true);
    else change({ opened: 'category with rule' });
  });
  const actions: ReviewActions = {
    opened,
    areRowsOpen: rows,
    left,
    disabledReason,
    tick: (id, isTicked) => {
      const next = new Set(left);
      if (isTicked) next.delete(id);
      else next.add(id);
      change({ left: next });
    },
    toggleRows: () => change({ rows: !rows }),
    open: (what) => change({ opened: what }),
    right,
    choose: (categoryId) => current && put(current, categoryId, opened === 'category with rule'),
    rule,
    skip: () => current && review.skip(current),
    comment: (text) => {
      if (current)
        decide({ group: current, ids, changes: { comment: text }, says: say(current, 'commented'), keeps: true });
    },
  };
  usePageKeys({
    Enter: unlessControl(right),
    r: right,
    c: may(() => change({ opened: 'category' })),
    R: rule,
    s: actions.skip,
    z: review.undo,
    m: may((group) => group.reason === 'flagged' && change({ opened: 'comment' })),
    ' ': unlessControl(actions.toggleRows),
    j: () => review.step(1),
    k: () => review.step(-1),
    ArrowDown: () => review.step(1),
    ArrowUp: () => review.step(-1),
  });
  return actions;
}

/** A button or link that has the focus is pressed, as anywhere else. */
function unlessControl(act: () => void): () => void {
  return () => {
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && focused.matches('button, a[href], summary')) focused.click();
    else act();
  };
}

import { useState } from 'react';

import { useReasonAgainst } from '../../api/session.ts';
import { unlessControl, usePageKeys } from '../../layout/page-keys.ts';
import { useCategories } from '../../api/lists.ts';
import { startFrom } from '../../components/rule/rule-start.ts';
import { useMakeRule } from '../../components/rule/use-make-rule.ts';
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
  /** Opens the editor with the rule instead of making it. */
  editRule: () => void;
  skip: () => void;
  comment: (text: string) => void;
}

/** What can be done with the current group, by buttons and by keys. */
export function useReviewKeys(review: ReviewState): ReviewActions {
  const { current } = review;
  const viewer = useReasonAgainst('full_access');
  const { opened, rows, left, change, reset } = useShown(current?.key);
  const ids = current?.transaction_ids.filter((id) => !left.has(id)) ?? [];
  const nothing = current && ids.length === 0 ? 'No row of the group is ticked.' : undefined;
  const disabledReason = viewer ?? nothing;
  const decide = (decision: Decision): void => {
    reset();
    review.decide(decision);
  };
  const { right, put, comment } = useDecisions(decide, ids);
  const may = (run: (group: Group) => void) => (): void => {
    if (current && disabledReason === undefined) run(current);
  };
  const rule = may((group) => {
    if (group.guess) put(group, group.guess.category_id, true);
    else change({ opened: 'category with rule' });
  });
  const makeRule = useMakeRule();
  const editRule = may(({ sample, guess, category_id: present }) => {
    const like = sample.map((row) => ({ ...row, category_id: guess?.category_id ?? present }));
    makeRule(startFrom(like) ?? {});
  });
  const actions: ReviewActions = {
    opened,
    areRowsOpen: rows,
    left,
    disabledReason,
    tick: (id, isTicked) => change({ left: new Set(isTicked ? [...left].filter((one) => one !== id) : [...left, id]) }),
    toggleRows: () => change({ rows: !rows }),
    open: (what) => change({ opened: what }),
    right: may(right),
    choose: (categoryId) => current && put(current, categoryId, opened === 'category with rule'),
    rule,
    editRule,
    skip: () => current && review.skip(current),
    comment: (text) => current && comment(current, text),
  };
  usePageKeys({
    Enter: unlessControl(actions.right),
    r: actions.right,
    c: may(() => change({ opened: 'category' })),
    R: rule,
    n: editRule,
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

interface Shown {
  opened: Opened;
  rows: boolean;
  left: ReadonlySet<string>;
}

const CLOSED: Shown = { opened: null, rows: false, left: new Set() };

/** What is open and ticked off in a group; another group begins closed, and so does what is left of one. */
function useShown(key: string | undefined) {
  const [shown, setShown] = useState<Shown & { key: string }>();
  const own: Shown = shown !== undefined && shown.key === key ? shown : CLOSED;
  return {
    ...own,
    change: (next: Partial<Shown>): void => {
      if (key !== undefined) setShown({ ...own, ...next, key });
    },
    reset: () => setShown(undefined),
  };
}

/** The decisions about these rows of a group. */
function useDecisions(decide: (decision: Decision) => void, ids: readonly string[]) {
  const categories = useCategories();
  const nameOf = (id: string | null | undefined): string =>
    id === null || id === undefined ? 'no category' : (categories?.get(id)?.name ?? 'another category');
  const say = (group: Group, what: string): string => `${group.label}: ${rowsOf(ids.length)} ${what}.`;
  return {
    right: (group: Group): void => {
      const { changes } = rightFor(group);
      if ('category_id' in changes) {
        const category = nameOf(changes.category_id);
        decide({ group, ids, changes, says: say(group, `in ${category}`), category });
      } else decide({ group, ids, changes, says: say(group, group.reason === 'flagged' ? 'without flag' : 'right') });
    },
    put: (group: Group, categoryId: string | null, withRule: boolean): void => {
      const category = nameOf(categoryId);
      const says = say(group, `in ${category}${withRule ? ', and from now on' : ''}`);
      const ruleFor = withRule && categoryId !== null ? { ruleFor: { id: categoryId, name: category } } : {};
      // A flag is taken off by *Right* alone: what it asks may still be open.
      const keeps = group.reason === 'flagged';
      decide({ group, ids, changes: changesFor(group, categoryId), category, says, keeps, ...ruleFor });
    },
    comment: (group: Group, text: string): void =>
      decide({ group, ids, changes: { comment: text }, says: say(group, 'commented'), keeps: true }),
  };
}

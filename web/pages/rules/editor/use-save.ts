import { useRef, useState } from 'react';

import { applyRule } from '../../../../src/features/rules/rule-runs.contract.ts';
import { createRule, getRule, updateRule } from '../../../../src/features/rules/rules.contract.ts';
import { api, ConnectionLost, messageOf } from '../../../api/client.ts';
import { keyOf, queryClient, refresh, underOneKey, type Intent } from '../../../api/queries.ts';
import { showToast, showUndo } from '../../../components/toast-store.ts';
import { endOfRun, type Progress } from '../../../components/transaction/rule-run.ts';
import { nowMs } from '../../../lib/clock.ts';
import { counted } from '../../../lib/numbers.ts';
import { randomId } from '../../../lib/random-id.ts';
import type { StoredRule, Values } from './values.ts';

export type HowToSave = { isApplied: false } | { isApplied: true; overwritesManual: boolean };

/** Why a rule like this could not be run over the ledger (40.8.4). */
export function whyNotApplied({ enabled, triggers, expires_at: expiry }: Values): string | undefined {
  if (!enabled) return 'A rule that is switched off is not applied.';
  if (!triggers.includes('manual')) return 'It does not run by hand: that is set under More.';
  return expiry && Date.parse(expiry) <= nowMs() ? 'The rule has ended.' : undefined;
}

interface Save {
  run: (values: Values, ifMatch: string | undefined, how: HowToSave) => Promise<StoredRule>;
  /** How far the run over the ledger is. */
  progress: Progress | null;
}

/** Saves the rule, a new one without `id`, and runs it if that is wanted. One Undo takes back both. */
export function useSave(id: string | undefined): Save {
  const open = useRef<Intent>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const write = (body: Values, ifMatch: string | undefined) =>
    underOneKey(open, JSON.stringify([body, ifMatch]), (idempotencyKey) => {
      const options = { idempotencyKey, ...(ifMatch === undefined ? {} : { ifMatch }) };
      return id === undefined
        ? api.send(createRule, { body }, options)
        : api.send(updateRule, { params: { id }, body }, options);
    });
  return {
    progress,
    run: async (values, ifMatch, how) => {
      const { value: rule, changeSetId } = await write(values, ifMatch);
      const sets = changeSetId === null ? [] : [changeSetId];
      const done = id === undefined ? 'Rule created' : 'Rule saved';
      if (how.isApplied) await apply(rule, how.overwritesManual, { sets, done, setProgress });
      else if (sets.length > 0) showUndo(done, sets);
      // The page that comes next begins with it. What else is old is read again behind it: a form that is filled anew
      // while it is being sent would count as changed.
      queryClient.setQueryData(keyOf(getRule, { params: { id: rule.short_id } }), rule);
      void refresh();
      return rule;
    },
  };
}

interface Saved {
  sets: readonly string[];
  /** "Rule created" */
  done: string;
  setProgress: (progress: Progress | null) => void;
}

/** The rule stays saved if this fails, and its page offers to apply it. */
async function apply(rule: StoredRule, overwritesManual: boolean, { sets, done, setProgress }: Saved): Promise<void> {
  try {
    const { value } = await api.send(
      applyRule,
      { params: { id: rule.id }, body: { overwrite_manual: overwritesManual } },
      { idempotencyKey: randomId() },
    );
    const { count, changeSetId } = await endOfRun(value, setProgress);
    const all = changeSetId === null ? sets : [...sets, changeSetId];
    const says = `${done}, ${count === 0 ? 'no transaction' : counted(count, 'transaction')} changed`;
    if (all.length > 0) showUndo(says, all);
    else showToast(says);
  } catch (error) {
    const isKnown = !(error instanceof ConnectionLost);
    showToast(
      `${done}${isKnown ? ', but applying it failed' : '. Whether it was applied is not known'}: ${messageOf(error)}`,
    );
  } finally {
    setProgress(null);
  }
}

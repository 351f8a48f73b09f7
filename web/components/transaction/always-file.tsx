import { useEffect, useRef, useState } from 'react';

import { previewRule } from '../../../src/features/rules/rule-insights.contract.ts';
import { applyRule } from '../../../src/features/rules/rule-runs.contract.ts';
import { createRule } from '../../../src/features/rules/rules.contract.ts';
import { api, messageOf } from '../../api/client.ts';
import { refresh, useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { undoAll } from '../../api/undo.ts';
import { usePageKeys } from '../../layout/page-keys.ts';
import { counted } from '../../lib/numbers.ts';
import { randomId } from '../../lib/random-id.ts';
import { Button } from '../button.tsx';
import { testFor, type Like } from '../rule/rule-start.ts';
import { useMakeRule } from '../rule/use-make-rule.ts';
import { showToast, showUndo } from '../toast-store.ts';
import { endOfRun } from './rule-run.ts';

interface Target {
  id: string;
  name: string;
}

const LONGEST_NAME = 200;

/** The rule that files rows like this one. */
export function ruleFor(filed: Like, category: Target) {
  const condition = testFor(filed);
  return {
    text: condition.value,
    rule: {
      name: [...`${condition.value}: ${category.name}`].slice(0, LONGEST_NAME).join(''),
      condition,
      actions: [{ type: 'set_category' as const, category_id: category.id }],
    },
  };
}

/** What making a rule left behind, in the order in which it was written. */
export interface RuleMade {
  text: string;
  /** Rows that the rule changed. */
  count: number;
  changeSetIds: readonly string[];
}

/** Saves the rule and runs it over the ledger. What it wrote is taken back if the run fails. */
export async function makeRule(filed: Like, category: Target): Promise<RuleMade> {
  const { text, rule } = ruleFor(filed, category);
  const made = await api.send(createRule, { body: rule }, { idempotencyKey: randomId() });
  const changeSetIds = made.changeSetId === null ? [] : [made.changeSetId];
  try {
    const run = await api.send(applyRule, { params: { id: made.value.id }, body: {} }, { idempotencyKey: randomId() });
    const { count, changeSetId } = await endOfRun(run.value);
    return { text, count, changeSetIds: changeSetId === null ? changeSetIds : [...changeSetIds, changeSetId] };
  } catch (error) {
    await undoAll(changeSetIds);
    throw error;
  }
}

interface AlwaysFileProps {
  transaction: Like;
  category: Target;
  /** Made, refused or dismissed: it can go. */
  onEnd: () => void;
}

/**
 * The line under a row whose category was just corrected: "Always file REWE under Groceries? 38 other rows". The rule is
 * previewed, saved and run in one step, which one Undo takes back. `R` makes it.
 */
export function AlwaysFile({ transaction, category, onEnd }: AlwaysFileProps) {
  const { text, rule } = ruleFor(transaction, category);
  const preview = useApiQuery(previewRule, { body: { ...rule, sample_size: 1 } }, { staleTime: 60_000 });
  const edit = useMakeRule();
  const [isBusy, setBusy] = useState(false);
  const disabledReason = useReasonAgainst('full_access');
  const hasEnded = useRef(false);
  useEffect(() => {
    if (preview.error) onEnd();
  }, [preview.error, onEnd]);

  async function make(): Promise<void> {
    if (isBusy || hasEnded.current || disabledReason !== undefined) return;
    setBusy(true);
    try {
      const made = await makeRule(transaction, category);
      showUndo(sayMade(made, category.name), made.changeSetIds);
      await refresh();
    } catch (error) {
      showToast(messageOf(error));
    } finally {
      hasEnded.current = true;
      onEnd();
    }
  }

  usePageKeys({ R: () => void make() });
  const { change_count: count = 0, truncated = false } = preview.data ?? {};
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <p role="status" className="min-w-0 text-muted">
        Always file <strong className="font-medium text-ink wrap-anywhere">{text}</strong> under{' '}
        <strong className="font-medium text-ink wrap-anywhere">{category.name}</strong>?
        {preview.data && ` ${truncated ? 'At least ' : ''}${counted(count, 'other row')}.`}
      </p>
      <span className="flex gap-2">
        <Button look="secondary" busy={isBusy} disabledReason={disabledReason} onClick={() => void make()}>
          Always <kbd className="font-mono text-xs text-muted">R</kbd>
        </Button>
        <Button
          look="quiet"
          disabledReason={disabledReason}
          onClick={() => {
            onEnd();
            edit(rule);
          }}
        >
          Edit first
        </Button>
        <Button look="quiet" onClick={onEnd}>
          No
        </Button>
      </span>
    </div>
  );
}

export function sayMade({ text, count }: RuleMade, category: string): string {
  return `${text} is always filed under ${category}${count === 0 ? '' : `: ${counted(count, 'other row')} changed`}.`;
}

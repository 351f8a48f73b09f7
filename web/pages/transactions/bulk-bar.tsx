import { Ellipsis, Flag, FolderTree, Tags, X } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';

import { LIMITS } from '../../../src/kernel/limits.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Menu } from '../../components/menu.tsx';
import { counted, inDigits } from '../../lib/numbers.ts';
import { useStore } from '../../lib/store.ts';
import { useMakeRule } from '../../components/rule/use-make-rule.ts';
import { askedOfBulk, BULK_ACTIONS, startOf, totalsOf, whyNoRule, type BulkAction } from './bulk.ts';
import { isTrue, type View } from './filters.ts';
import { clearSelection, grid } from './grid-store.ts';
import { useCount } from './list-queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { TotalsInWords } from './totals.tsx';

// Needed once something is ticked and an action chosen.
const BulkDialog = lazy(async () => ({ default: (await import('./bulk-dialog.tsx')).BulkDialog }));

const IN_MENU: readonly BulkAction[] = ['looked-at', 'counterparty', 'series', 'member', 'note', 'rules', 'delete'];

/** What can be done with the rows that are ticked, and what they add up to. */
export function BulkBar({ view }: { view: View }) {
  const state = useStore(grid);
  const asked = useStore(askedOfBulk);
  const { selected, isEverything } = state;
  const right = useReasonAgainst('full_access');
  const all = useCount(view.filters).data;
  const count = isEverything ? (all?.count ?? 0) : selected.size;
  const isNone = count === 0;
  useEffect(() => {
    if (isNone) askedOfBulk.set(null);
    // So that a key which opens it loses no letter.
    else void import('./bulk-dialog.tsx').catch(() => undefined);
  }, [isNone]);
  if (isNone) return null;
  const { totals, left } = isEverything ? { totals: all?.totals ?? [], left: 0 } : totalsOf(selected.values());
  const reason = right ?? reasonAgainstBulk(view, count, isEverything);
  const ask = (action: BulkAction) => () => askedOfBulk.set(action);
  return (
    <section
      aria-label="Selected transactions"
      className="sticky bottom-4 z-10 mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line-strong bg-surface px-4 py-2 shadow-lg max-lg:bottom-20 print:hidden"
    >
      <p role="status" className="font-medium tabular-nums">
        {isEverything ? `All ${inDigits(count)} that match` : `${inDigits(count)} selected`}
      </p>
      <div className="text-sm">
        <TotalsInWords totals={totals} />
      </div>
      {left > 0 && <p className="text-xs text-muted">{counted(left, 'row')} not in totals</p>}
      <div className="ml-auto flex flex-wrap items-center gap-2">
        <Button icon={FolderTree} disabledReason={reason} onClick={ask('category')}>
          Category
        </Button>
        <Button icon={Tags} disabledReason={reason} onClick={ask('tags')}>
          Tags
        </Button>
        <Button icon={Flag} disabledReason={reason} onClick={ask('flag')}>
          Flag
        </Button>
        <MoreActions reason={reason} right={right} />
        <IconButton icon={X} label="Select nothing" onClick={clearSelection} />
      </div>
      {asked !== null && reason === undefined && (
        <Suspense>
          <BulkDialog action={asked} view={view} onClose={() => askedOfBulk.set(null)} />
        </Suspense>
      )}
    </section>
  );
}

function MoreActions({ reason, right }: { reason: string | undefined; right: string | undefined }) {
  const state = useStore(grid);
  const make = useMakeRule();
  const rule = {
    label: 'Make a rule of them',
    onSelect: () => make(startOf(state) ?? {}),
    disabledReason: right ?? whyNoRule(state),
  };
  const others = IN_MENU.map((action) => ({
    label: BULK_ACTIONS[action],
    onSelect: () => askedOfBulk.set(action),
    destructive: action === 'delete',
    disabledReason: reason,
  }));
  return <Menu trigger={<IconButton icon={Ellipsis} label="More" look="secondary" />} items={[rule, ...others]} />;
}

function reasonAgainstBulk({ filters }: View, count: number, isEverything: boolean): string | undefined {
  if (isTrue(filters.deleted)) return 'Deleted transactions cannot be changed. Restore them first.';
  if (isEverything && count > LIMITS.bulkUpdateTransactions) {
    return `At most ${inDigits(LIMITS.bulkUpdateTransactions)} transactions can be changed at once. Filter the list first.`;
  }
  return undefined;
}

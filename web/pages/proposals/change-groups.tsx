import { useEffect, useId, useMemo, useRef, useState, type RefObject } from 'react';

import { getTransaction } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Money } from '../../components/money.tsx';
import { Section } from '../../components/page-header.tsx';
import { Status } from '../../components/status.tsx';
import { TransactionRow, type TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { counted, inDigits } from '../../lib/numbers.ts';
import { groupChanges, stepsOf, type ChangeGroup } from '../../components/changes/group-changes.ts';
import { CONFLICT_WORDS, TotalsList, type Change } from './proposal-words.tsx';
import { nounOf } from '../../components/changes/change-set-words.ts';
import { fieldInWords, StepInWords, Values, ValueName } from '../../components/changes/value-name.tsx';

/** Marks the rows that `j` and `k` go through. */
export const ROW = 'data-change';
const SHOWN_AT_FIRST = 20;
const CONFLICTS_SHOWN = 50;
const NOT_WRITTEN = { existing: 'Already there', skipped: 'Left out: out of date', excluded: 'Left out' } as const;
/** Words with an amount beside them, or below where that would leave too little room for the words. */
const BESIDE = 'flex min-w-0 flex-1 flex-wrap justify-between gap-x-4 gap-y-1';
const WORDS = 'min-w-0 flex-1 basis-40';

interface Ticking {
  /** Sequences of what is left out. */
  left: ReadonlySet<number>;
  /** Absent once the plan is decided. */
  onToggle: ((sequences: readonly number[], isTaken: boolean) => void) | undefined;
}

/** Changes grouped by what happens, each row with its amount, and ticked unless it is left out. */
export function ChangeGroups({ changes, ...ticking }: { changes: readonly Change[] } & Ticking) {
  const groups = useMemo(() => groupChanges(changes), [changes]);
  return groups.map((group) => <Group key={group.key} group={group} {...ticking} />);
}

function Group({ group, left, onToggle }: { group: ChangeGroup<Change> } & Ticking) {
  const [isWhole, showAll] = useState(false);
  const id = useId();
  const { changes, entityType, totals } = group;
  const shown = isWhole ? changes : changes.slice(0, SHOWN_AT_FIRST);
  const taken = changes.filter(({ sequence }) => !left.has(sequence)).length;
  return (
    <section aria-labelledby={id} className="mt-6 first:mt-0">
      <header className="flex items-start gap-3 border-b border-line-strong pb-2">
        {onToggle && (
          <GroupTick
            labelledBy={id}
            taken={taken}
            count={changes.length}
            onChange={(isTaken) =>
              onToggle(
                changes.map(({ sequence }) => sequence),
                isTaken,
              )
            }
          />
        )}
        <div className={BESIDE}>
          <h3 id={id} className={`${WORDS} font-semibold wrap-anywhere`}>
            <GroupTitle group={group} />
            <span className="block text-sm font-normal text-muted">
              {inDigits(changes.length)} {nounOf(entityType, changes.length)}
              {onToggle && taken < changes.length && `, ${inDigits(taken)} ticked`}
            </span>
          </h3>
          <div className="ml-auto text-right">{totals.length > 0 && <TotalsList totals={totals} />}</div>
        </div>
      </header>
      <ul className="divide-y divide-line">
        {shown.map((change) => (
          <Row
            key={change.sequence}
            change={change}
            isGrouped={entityType === 'transaction'}
            left={left}
            onToggle={onToggle}
          />
        ))}
      </ul>
      {shown.length < changes.length && (
        <div className="border-t border-line py-2">
          <Button look="quiet" onClick={() => showAll(true)}>
            Show all {inDigits(changes.length)}
          </Button>
        </div>
      )}
    </section>
  );
}

function GroupTitle({ group: { steps, entityType } }: { group: ChangeGroup<Change> }) {
  const [first] = steps;
  if (first?.kind === 'create') return <>Make {nounOf(entityType, 2)}</>;
  if (first?.kind === 'delete') return <>Delete {nounOf(entityType, 2)}</>;
  if (steps.length === 0) return <>Confirm what they are now</>;
  if (entityType !== 'transaction') {
    return (
      <>
        Change {nounOf(entityType, 2)}: {steps.map(({ field }) => fieldInWords(field)).join(', ')}
      </>
    );
  }
  return steps.map((step) => (
    <span key={step.field} className="block">
      <StepInWords step={step} />
    </span>
  ));
}

interface GroupTickProps {
  labelledBy: string;
  taken: number;
  count: number;
  onChange: (isTaken: boolean) => void;
}

function GroupTick({ labelledBy, taken, count, onChange }: GroupTickProps) {
  const box = useRef<HTMLInputElement>(null);
  const isSome = taken > 0 && taken < count;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return <Tick ref={box} labelledBy={labelledBy} isTicked={taken === count} onChange={onChange} />;
}

interface TickProps {
  ref?: RefObject<HTMLInputElement | null>;
  labelledBy: string;
  isTicked: boolean;
  onChange: (isTicked: boolean) => void;
}

/** On touch screens, the space around it ticks it, too. */
function Tick({ ref, labelledBy, isTicked, onChange }: TickProps) {
  return (
    <label className="flex shrink-0 pointer-coarse:-m-2.5 pointer-coarse:p-2.5">
      <input
        ref={ref}
        type="checkbox"
        aria-labelledby={labelledBy}
        checked={isTicked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className="size-6 accent-accent"
      />
    </label>
  );
}

function Row({ change, isGrouped, left, onToggle }: { change: Change; isGrouped: boolean } & Ticking) {
  const id = useId();
  const { sequence, label, conflict, outcome } = change;
  const isNew = change.entity_type === 'transaction' && change.operation === 'create';
  const isRow = change.transaction_id !== null && change.amount !== null && !isNew;
  return (
    <li {...{ [ROW]: sequence }} tabIndex={-1} className="flex items-start gap-3 py-1.5 focus-visible:outline-2">
      {onToggle && (
        <Tick labelledBy={id} isTicked={!left.has(sequence)} onChange={(isTicked) => onToggle([sequence], isTicked)} />
      )}
      <div className={BESIDE}>
        <div id={id} className={`${WORDS} wrap-anywhere`}>
          {isRow ? (
            <TransactionRow transaction={recordOf(change)} density="comfortable" withDate />
          ) : (
            <span className="font-medium">{label}</span>
          )}
          {!isGrouped && <Values change={change} />}
          {conflict !== null && outcome === null && (
            <span className="block text-sm text-warning">{CONFLICT_WORDS[conflict]}</span>
          )}
          {outcome !== null && outcome !== 'applied' && <Status tone="neutral">{NOT_WRITTEN[outcome]}</Status>}
        </div>
        {!isRow && change.amount !== null && (
          <span className="ml-auto">
            <Money amount={change.amount} currency={change.iso_currency_code} />
          </span>
        )}
      </div>
    </li>
  );
}

/** A change says less of its transaction than the transaction itself. */
function recordOf({ transaction_id: id, label, amount, date, iso_currency_code }: Change): TransactionRecord {
  const known = { id: id ?? '', short_id: id ?? '', name: label, iso_currency_code };
  return { ...known, ...(amount === null ? {} : { amount }), ...(date === null ? {} : { date }) };
}

/** What cannot be applied as things are now, with the present value of what has changed. */
export function Conflicts({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  const count = counted(changes.length, 'change is', 'changes are');
  return (
    <Section title="Out of date">
      <Banner tone="warning" title={`${count} no longer possible as planned.`}>
        <ul className="mt-2 divide-y divide-line">
          {changes.slice(0, CONFLICTS_SHOWN).map((change) => (
            <li key={change.sequence} className="py-2 wrap-anywhere">
              <span className="font-medium">{change.label}</span>
              {change.conflict !== null && <span className="block text-sm">{CONFLICT_WORDS[change.conflict]}</span>}
              {change.transaction_id !== null && change.conflict === 'changed_since' && (
                <PresentValue transactionId={change.transaction_id} change={change} />
              )}
            </li>
          ))}
        </ul>
        {changes.length > CONFLICTS_SHOWN && (
          <p className="mt-2">{inDigits(changes.length - CONFLICTS_SHOWN)} more are below.</p>
        )}
      </Banner>
    </Section>
  );
}

function PresentValue({ transactionId, change }: { transactionId: string; change: Change }) {
  const { data } = useApiQuery(getTransaction, { params: { id: transactionId }, query: { include_deleted: 'true' } });
  if (!data) return null;
  const now = data as Readonly<Record<string, unknown>>;
  return (
    <ul className="text-sm">
      {stepsOf(change)
        .filter(({ field }) => field in now)
        .map((step) => (
          <li key={step.field}>
            <StepInWords step={step} /> – now: <ValueName field={step.field} value={now[step.field]} />
          </li>
        ))}
    </ul>
  );
}

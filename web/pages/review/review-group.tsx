import { useEffect, useRef, useState } from 'react';

import { previewRule } from '../../../src/features/rules/rule-insights.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Money } from '../../components/money.tsx';
import { CategoryPicker } from '../../components/pickers/category-picker.tsx';
import { useIsLate } from '../../components/skeleton.tsx';
import { ruleFor } from '../../components/transaction/always-file.tsx';
import { CategoryChip, CategoryGlyph } from '../../components/transaction/category-chip.tsx';
import { GroupRows } from './group-rows.tsx';
import { daysOf, REASON_WORDS, rightFor, rowsOf, whyGuess, type Group } from './review-words.ts';
import type { ReviewActions } from './use-review-keys.ts';

interface ReviewGroupProps {
  group: Group;
  isCurrent: boolean;
  actions: ReviewActions;
  onShow: () => void;
}

const STAYS_MS = 300;
const PREVIEW_MS = 300;
const LINE = 'relative flex min-h-13 w-full items-center gap-3 px-3 py-1.5 text-left';

/** One group: a line in the list, and what can be decided about it while it is the current one. */
export function ReviewGroup({ group, isCurrent, actions, onShow }: ReviewGroupProps) {
  const item = useRef<HTMLLIElement>(null);
  const wasCurrent = useRef(false);
  useEffect(() => {
    if (isCurrent && !wasCurrent.current && isFocusFree()) {
      item.current?.focus({ preventScroll: true });
      item.current?.scrollIntoView({ block: 'nearest' });
    }
    wasCurrent.current = isCurrent;
  }, [isCurrent]);
  if (!isCurrent) {
    return (
      <li ref={item} tabIndex={-1} className="rounded-card max-sm:hidden">
        <button type="button" className={`${LINE} rounded-card hover:bg-sunken/60`} onClick={onShow}>
          <Line group={group} />
        </button>
      </li>
    );
  }
  return (
    <li
      ref={item}
      tabIndex={-1}
      aria-current="true"
      aria-label={`${group.label}, ${rowsOf(group.transaction_count)}`}
      className="rounded-card border border-line-strong bg-surface shadow-sm outline-none focus-visible:border-focus focus-visible:outline-1 focus-visible:outline-focus"
    >
      <div className={LINE}>
        <Line group={group} />
      </div>
      {actions.areRowsOpen && <GroupRows group={group} left={actions.left} onTick={actions.tick} />}
      <Decide group={group} actions={actions} />
    </li>
  );
}

/** A field or dialog that a person is in keeps the focus. */
function isFocusFree(): boolean {
  return document.activeElement?.closest('input, textarea, select, dialog') === null;
}

function Line({ group }: { group: Group }) {
  const { guess, transaction_count: count } = group;
  const why = whyGuess(group);
  const isGuessed = guess?.from === 'history';
  const shown = guess && { id: guess.category_id, name: `${guess.category_name}${isGuessed ? '?' : ''}` };
  return (
    <>
      <CategoryGlyph id={guess?.category_id} />
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-baseline gap-2">
          <bdi className="truncate font-medium">{group.label}</bdi>
          {count > 1 && <span className="shrink-0 text-sm text-muted tabular-nums">{rowsOf(count)}</span>}
        </span>
        <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 text-xs leading-4 text-muted">
          <span className="flex max-w-full min-w-0">
            <CategoryChip category={shown} none="No category" />
          </span>
          {why !== null && <span>{why}</span>}
          {(group.reason !== 'uncategorized' || guess) && <span>{REASON_WORDS[group.reason]}</span>}
          <span className="tabular-nums">{daysOf(group)}</span>
        </span>
      </span>
      <span className="shrink-0 text-right font-medium tabular-nums">
        <Money amount={group.total_amount} currency={group.iso_currency_code} />
      </span>
    </>
  );
}

const BAR =
  'flex flex-wrap items-center gap-2 border-t border-line p-2 max-sm:sticky max-sm:bottom-14 max-sm:z-10 max-sm:grid max-sm:grid-cols-6 max-sm:rounded-b-card max-sm:bg-surface';

/** Nearest to the thumb. */
const BIG = 'max-sm:order-last max-sm:col-span-3 max-sm:min-h-12';
const SMALL = 'max-sm:col-span-2 max-sm:px-1';

function Decide({ group, actions }: { group: Group; actions: ReviewActions }) {
  const { opened, disabledReason } = actions;
  if (opened === 'comment') return <CommentField onSend={actions.comment} onCancel={() => actions.open(null)} />;
  if (opened !== null) {
    return (
      <div className="border-t border-line p-2">
        <CategoryPicker
          label={`Category of ${group.label}, ${rowsOf(group.transaction_count)}`}
          value={group.category_id}
          likely={group.guess ? [group.guess.category_id] : []}
          allowsNone={opened === 'category'}
          newKind={group.direction === 'in' ? 'income' : 'expense'}
          onPick={actions.choose}
          onCancel={() => actions.open(null)}
          autoFocus
          className="sm:max-w-sm"
        />
      </div>
    );
  }
  return (
    <div className={BAR}>
      <Act look="primary" letter="Enter" reason={disabledReason} run={actions.right} className={BIG}>
        {rightFor(group).does}
      </Act>
      <Act letter="c" reason={disabledReason} run={() => actions.open('category')} className={BIG}>
        Change
      </Act>
      {group.reason !== 'flagged' && (
        <Act look="quiet" letter="R" reason={disabledReason} run={actions.rule}>
          Rule too
        </Act>
      )}
      {group.sample.length > 0 && (
        <Act look="quiet" letter="n" reason={disabledReason} run={actions.editRule} className="max-sm:hidden">
          Edit a rule
        </Act>
      )}
      {group.reason === 'flagged' && (
        <Act look="quiet" letter="m" reason={disabledReason} run={() => actions.open('comment')}>
          Comment
        </Act>
      )}
      <Act look="quiet" letter="s" run={actions.skip}>
        Skip
      </Act>
      <Act look="quiet" letter="Space" run={actions.toggleRows} isOpen={actions.areRowsOpen}>
        {actions.areRowsOpen ? 'Hide rows' : 'Rows'}
      </Act>
      {group.reason !== 'flagged' && disabledReason === undefined && <RowsOfRule key={group.key} group={group} />}
    </div>
  );
}

/** How many rows the rule would be about, before it is made. Asked once a person stays at the group. */
function RowsOfRule({ group: { sample } }: { group: Group }) {
  const [like] = sample;
  const isWanted = useIsLate(STAYS_MS) && like !== undefined;
  const { condition } = ruleFor(like ?? {}, { id: '', name: '' }).rule;
  const { data } = useApiQuery(
    previewRule,
    { body: { condition, sample_size: 1, time_limit_ms: PREVIEW_MS } },
    { staleTime: 60_000, enabled: isWanted },
  );
  return (
    <p role="status" className="ml-auto px-1 text-sm text-muted max-sm:sr-only">
      {data && `The rule: ${data.truncated ? 'at least ' : ''}${rowsOf(data.match_count)} in all`}
    </p>
  );
}

interface ActProps {
  look?: 'primary' | 'secondary' | 'quiet';
  letter: string;
  reason?: string | undefined;
  run: () => void;
  isOpen?: boolean;
  className?: string;
  children: string;
}

/** A button with its key beside it, where there is a keyboard. */
function Act({ look = 'secondary', letter, reason, run, isOpen, className = SMALL, children }: ActProps) {
  return (
    <Button
      look={look}
      disabledReason={reason}
      onClick={run}
      aria-keyshortcuts={letter}
      {...(isOpen === undefined ? {} : { 'aria-expanded': isOpen })}
      className={className}
    >
      {children}
      <kbd aria-hidden className="font-mono text-xs opacity-70 max-sm:hidden pointer-coarse:hidden">
        {letter === 'Enter' ? '↵' : letter}
      </kbd>
    </Button>
  );
}

function CommentField({ onSend, onCancel }: { onSend: (text: string) => void; onCancel: () => void }) {
  const [text, setText] = useState('');
  return (
    <form
      className="flex flex-wrap gap-2 border-t border-line p-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onSend(text.trim());
      }}
    >
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the key that opens it asks for it
        autoFocus
        aria-label="Comment on these rows"
        placeholder="Comment"
        className="field min-w-40 flex-1"
        value={text}
        maxLength={10_000}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      />
      <Button type="submit" look="primary" disabledReason={text.trim() === '' ? 'Write something first.' : undefined}>
        Comment
      </Button>
      <Button look="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}

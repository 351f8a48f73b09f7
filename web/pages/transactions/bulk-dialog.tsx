import { useState, type ReactNode } from 'react';

import type { CallOf } from '../../../src/contract/operation.ts';
import { listSeries } from '../../../src/features/series/series.contract.ts';
import {
  bulkRecategorizeTransactions,
  bulkUpdateTransactions,
} from '../../../src/features/transactions/transaction-bulk.contract.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { useCategories, useMembers } from '../../api/lists.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CategoryPicker, CounterpartyPicker, TagsPicker } from '../../components/pickers/later-pickers.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { CategoryChip } from '../../components/transaction/category-chip.tsx';
import { counted, inDigits } from '../../lib/numbers.ts';
import { useStore } from '../../lib/store.ts';
import { BULK_ACTIONS, selectorOf, type BulkAction, type Changes } from './bulk.ts';
import type { View } from './filters.ts';
import { clearSelection, grid } from './grid-store.ts';
import { NEEDS_REVIEW } from './row-commands.ts';
import { TotalsInWords } from './totals.tsx';

interface BulkDialogProps {
  action: BulkAction;
  view: View;
  onClose: () => void;
}

const TITLES: Readonly<Partial<Record<BulkAction, string>>> = {
  delete: 'Delete transactions',
  'looked-at': 'Looked at',
};

/** First what, then what it would change, then the change itself: exactly the rows that were counted. */
export function BulkDialog({ action, view, onClose }: BulkDialogProps) {
  const state = useStore(grid);
  const [selector] = useState(() => selectorOf(state, view.filters));
  const [changes, setChanges] = useState<Changes | null>(() => withoutChoice(action));
  const done = (): void => {
    onClose();
    clearSelection();
  };
  return (
    <Dialog open title={TITLES[action] ?? BULK_ACTIONS[action]} onClose={onClose}>
      {action === 'rules' ? (
        <ByRules selector={selector} onDone={done} />
      ) : (
        <>
          <Choice action={action} changes={changes} onChange={setChanges} />
          {changes && (
            <Outcome
              key={JSON.stringify(changes)}
              action={action}
              selector={selector}
              changes={changes}
              onDone={done}
            />
          )}
        </>
      )}
    </Dialog>
  );
}

/** What needs no further choice. */
function withoutChoice(action: BulkAction): Changes | null {
  if (action === 'flag') return { flagged: true };
  if (action === 'looked-at') return { tags_to_remove: [NEEDS_REVIEW] };
  return action === 'delete' ? { deleted: true } : null;
}

interface ChoiceProps {
  action: BulkAction;
  changes: Changes | null;
  onChange: (changes: Changes | null) => void;
}

function Choice({ action, changes, onChange }: ChoiceProps) {
  if (action === 'category') return <CategoryChoice changes={changes} onChange={onChange} />;
  if (action === 'tags') return <TagsChoice onChange={onChange} />;
  if (action === 'counterparty') {
    return (
      <CounterpartyPicker
        autoFocus
        label="Counterparty of all selected"
        value={null}
        onPick={(id) => onChange({ counterparty_id: id })}
        onCancel={() => {}}
      />
    );
  }
  if (action === 'flag') return <FlagChoice onChange={onChange} />;
  if (action === 'series') return <SeriesChoice onChange={onChange} />;
  if (action === 'member') return <MemberChoice onChange={onChange} />;
  return action === 'note' ? <NoteChoice onChange={onChange} /> : null;
}

type OneChoice = Pick<ChoiceProps, 'onChange'>;

function CategoryChoice({ changes, onChange }: Omit<ChoiceProps, 'action'>) {
  const all = useCategories();
  const id = changes?.category_id;
  if (id !== undefined) {
    return (
      <p className="mb-4 flex items-center gap-3">
        <CategoryChip category={id === null ? null : (all?.get(id) ?? null)} />
        <Button look="quiet" onClick={() => onChange(null)}>
          Another
        </Button>
      </p>
    );
  }
  return (
    <CategoryPicker
      autoFocus
      label="Category of all selected"
      value={null}
      onPick={(picked) => onChange({ category_id: picked })}
      onCancel={() => {}}
    />
  );
}

function TagsChoice({ onChange }: OneChoice) {
  const [way, setWay] = useState<'tags_to_add' | 'tags_to_remove'>('tags_to_add');
  const [tags, setTags] = useState<readonly string[]>([]);
  const [isPicking, pick] = useState(true);
  const change = (next: readonly string[], how: typeof way): void => {
    setTags(next);
    setWay(how);
    onChange(next.length === 0 ? null : { [how]: [...next] });
  };
  return (
    <div className="mb-4">
      <Radios
        label="What to do with the tags"
        options={{ tags_to_add: 'Add', tags_to_remove: 'Remove' }}
        value={way}
        onChange={(how) => change(tags, how)}
      />
      <p className="my-2 min-h-6">
        {tags.length === 0 ? <span className="text-muted">No tag chosen</span> : tags.join(', ')}
      </p>
      {isPicking ? (
        <TagsPicker
          autoFocus
          label="Tags of all selected"
          value={tags}
          allowsNew={way === 'tags_to_add'}
          onToggle={(slug, isAdded) => change(isAdded ? [...tags, slug] : tags.filter((one) => one !== slug), way)}
          onCancel={() => pick(false)}
        />
      ) : (
        <Button onClick={() => pick(true)}>Choose tags</Button>
      )}
    </div>
  );
}

function FlagChoice({ onChange }: OneChoice) {
  const [way, setWay] = useState<'true' | 'false'>('true');
  return (
    <Radios
      label="Flag"
      options={{ true: 'Flag', false: 'Take the flag off' }}
      value={way}
      onChange={(next) => {
        setWay(next);
        onChange({ flagged: next === 'true' });
      }}
    />
  );
}

interface RadiosProps<V extends string> {
  label: string;
  options: Readonly<Record<V, string>>;
  value: V;
  onChange: (value: V) => void;
}

function Radios<V extends string>({ label, options, value, onChange }: RadiosProps<V>) {
  return (
    <fieldset className="mb-4 flex gap-6">
      <legend className="sr-only">{label}</legend>
      {(Object.entries(options) as [V, string][]).map(([one, words]) => (
        <label key={one} className="target flex items-center gap-2">
          <input
            type="radio"
            name={label}
            className="size-5 accent-accent"
            checked={one === value}
            onChange={() => onChange(one)}
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

const NONE = 'none';

function SeriesChoice({ onChange }: OneChoice) {
  const series = useApiQuery(listSeries, {}).data?.series ?? [];
  const options = series.map(({ id, name }) => ({ id, name }));
  return (
    <ListChoice label="Series" options={options} none="No series" onChange={(id) => onChange({ series_id: id })} />
  );
}

function MemberChoice({ onChange }: OneChoice) {
  const members = useMembers() ?? [];
  const options = members.map(({ short_id: id, name }) => ({ id, name }));
  return (
    <ListChoice
      label="Member whose spending it was"
      options={options}
      none="The owner of the account"
      onChange={(id) => onChange({ attributed_user_id: id })}
    />
  );
}

interface ListChoiceProps {
  label: string;
  options: readonly { id: string; name: string }[];
  none: string;
  onChange: (id: string | null) => void;
}

function ListChoice({ label, options, none, onChange }: ListChoiceProps) {
  const [value, setValue] = useState('');
  return (
    <label className="mb-4 block">
      <span className="mb-1 block font-medium">{label}</span>
      <select
        className="field target"
        value={value}
        onChange={({ currentTarget: { value: next } }) => {
          setValue(next);
          onChange(next === NONE ? null : next);
        }}
      >
        <option value="" disabled>
          Choose
        </option>
        <option value={NONE}>{none}</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function NoteChoice({ onChange }: OneChoice) {
  const [text, setText] = useState('');
  return (
    <label className="mb-4 block">
      <span className="mb-1 block font-medium">Comment for each</span>
      <textarea
        className="field"
        rows={3}
        maxLength={LIMITS.commentChars}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => onChange(text.trim() === '' ? null : { comment: text.trim() })}
      />
    </label>
  );
}

type Selector = ReturnType<typeof selectorOf>;

interface OutcomeProps {
  action: BulkAction;
  selector: Selector;
  changes: Changes;
  onDone: () => void;
}

const FRESH = { staleTime: 0, gcTime: 0, retry: false } as const;

/** What the dry run says, and the button that does exactly that. */
function Outcome({ action, selector, changes, onDone }: OutcomeProps) {
  const body = { ...selector, changes } as NonNullable<CallOf<typeof bulkUpdateTransactions>['body']>;
  const planned = useApiQuery(bulkUpdateTransactions, { body: { ...body, dry_run: true } }, FRESH);
  const isDeletion = action === 'delete';
  const write = useApiWrite(bulkUpdateTransactions, {
    undo: ({ updated }) => `${counted(updated, 'transaction')} ${isDeletion ? 'deleted' : 'changed'}`,
    onSuccess: onDone,
  });
  return (
    <Planned
      planned={planned}
      failure={write.error}
      words={({ updated }) => `${isDeletion ? 'Delete' : 'Change'} ${counted(updated, 'transaction')}`}
      isDanger={isDeletion}
      isBusy={write.isPending}
      onConfirm={({ matched }) => write.mutate({ body: { ...body, expected_count: matched } })}
    >
      {({ totals }) => <TotalsInWords totals={totals} />}
    </Planned>
  );
}

/** The rules and the bank decide the category again. */
function ByRules({ selector, onDone }: { selector: Selector; onDone: () => void }) {
  const [overwrites, setOverwrites] = useState(false);
  const body = { ...selector, overwrite_manual: overwrites } as NonNullable<
    CallOf<typeof bulkRecategorizeTransactions>['body']
  >;
  const planned = useApiQuery(bulkRecategorizeTransactions, { body: { ...body, dry_run: true } }, FRESH);
  const write = useApiWrite(bulkRecategorizeTransactions, {
    undo: ({ updated }) => `${counted(updated, 'category', 'categories')} changed`,
    onSuccess: onDone,
  });
  return (
    <>
      <label className="mb-4 flex items-center gap-3">
        <input
          type="checkbox"
          className="size-5 accent-accent"
          checked={overwrites}
          onChange={(event) => setOverwrites(event.currentTarget.checked)}
        />
        Also those whose category a person or agent chose
      </label>
      <Planned
        planned={planned}
        failure={write.error}
        words={({ updated }) => `Change ${counted(updated, 'category', 'categories')}`}
        isBusy={write.isPending}
        onConfirm={({ matched }) => write.mutate({ body: { ...body, expected_count: matched } })}
      >
        {({ skipped_manual: skipped }) => skipped > 0 && <p>{inDigits(skipped)} were chosen by hand, and stay.</p>}
      </Planned>
    </>
  );
}

interface PlannedProps<T> {
  planned: { data: T | undefined; error: Error | null; refetch: () => unknown };
  failure: Error | null;
  words: (plan: T) => string;
  isDanger?: boolean;
  isBusy: boolean;
  onConfirm: (plan: T) => void;
  children: (plan: T) => ReactNode;
}

function Planned<T extends { matched: number; updated: number; unchanged: number }>(props: PlannedProps<T>) {
  const { planned, failure, words, isDanger = false, isBusy, onConfirm, children } = props;
  if (planned.error) return <ErrorBanner error={planned.error} onRetry={planned.refetch} />;
  if (!planned.data) return <Skeleton lines={2} />;
  const plan = planned.data;
  return (
    <>
      {failure && <ErrorBanner error={failure} onRetry={planned.refetch} />}
      <div
        className="mb-6 flex flex-wrap items-start justify-between gap-3 rounded-control bg-sunken p-3"
        role="status"
      >
        <p>
          {counted(plan.matched, 'transaction')}
          {plan.unchanged > 0 && `, of which ${inDigits(plan.unchanged)} are so already`}
        </p>
        {children(plan)}
      </div>
      <div className="flex justify-end">
        <Button
          look={isDanger ? 'danger' : 'primary'}
          busy={isBusy}
          disabledReason={plan.updated === 0 ? 'Nothing would change.' : undefined}
          onClick={() => onConfirm(plan)}
        >
          {words(plan)}
        </Button>
      </div>
    </>
  );
}

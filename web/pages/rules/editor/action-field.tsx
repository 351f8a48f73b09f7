import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';

import { RULE_LIMITS } from '../../../../src/engines/rules/rule-limits.ts';
import { LIMITS } from '../../../../src/kernel/limits.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { ConflictNote } from '../../../components/conflict.tsx';
import { formatMoney } from '../../../components/money.tsx';
import { sentenceOf } from '../../../components/rule/rule-sentence.ts';
import { inText } from '../../../components/rule/sentence-parts.ts';
import { useRuleNames } from '../../../components/rule/use-rule-names.ts';
import { ACTION_NAMES, freshAction, isChosen, type ActionType, type Draft } from './actions.ts';
import { NamedRecord } from './named-record.tsx';
import { Problems } from './condition-node.tsx';
import { RecordValue } from './record-value.tsx';
import type { Problem } from './tree.ts';

interface ActionFieldProps {
  problems: readonly Problem[];
  /** The category is all that is missing, so it is asked for at once. */
  isAwaited: boolean;
}

/** What the rule does, one action a line. */
export function ActionField({ problems, isAwaited }: ActionFieldProps) {
  const { setValue } = useFormContext();
  const actions = (useWatch({ name: 'actions' }) ?? []) as readonly Draft[];
  const box = useRef<HTMLDivElement>(null);
  const wanted = useRef<number>(undefined);
  const id = useId();
  useEffect(() => {
    if (wanted.current === undefined) return;
    const lines = box.current?.querySelectorAll<HTMLElement>('[data-action] select');
    (
      lines?.[Math.min(wanted.current, lines.length - 1)] ?? box.current?.querySelector<HTMLElement>('[data-add]')
    )?.focus();
    wanted.current = undefined;
  });
  const names = useRuleNames();
  const say = (value: unknown): string =>
    inText(sentenceOf({ condition: {}, actions: value as readonly unknown[] }, names).what, formatMoney);
  const set = (next: readonly Draft[], focus?: number): void => {
    wanted.current = focus;
    setValue('actions', next, { shouldDirty: true });
  };
  const isFull = actions.length >= RULE_LIMITS.actions;
  const own = problems.filter(({ path }) => path === 'actions').map(({ message }) => sentence(message));
  return (
    <div ref={box}>
      {actions.map((action, at) => (
        <ActionLine
          // oxlint-disable-next-line react/no-array-index-key -- actions have no ids, and their order stays
          key={at}
          action={action}
          place={at + 1}
          isAwaited={isAwaited && at === 0}
          taken={actions.filter((_, other) => other !== at).map(({ type }) => type)}
          messages={problems.filter(({ path }) => isOf(path, at)).map(({ message }) => sentence(message))}
          onChange={(next) => set(actions.with(at, next))}
          onRemove={() => set(actions.toSpliced(at, 1), at)}
        />
      ))}
      <Problems id={id} messages={own} />
      <Button
        look="quiet"
        icon={Plus}
        data-add
        className="-ml-2 text-sm text-muted"
        disabledReason={isFull ? `A rule does at most ${RULE_LIMITS.actions} things.` : undefined}
        onClick={() => set([...actions, freshAction(nextType(actions))], actions.length)}
      >
        Action
      </Button>
      <ConflictNote id={`${id}-conflict`} name="actions" say={say} />
    </div>
  );
}

function isOf(path: string, at: number): boolean {
  return path === `actions[${at}]` || path.startsWith(`actions[${at}].`);
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
}

/** A rule has one category, and any number of tags. */
const ONCE: ReadonlySet<ActionType> = new Set([
  'set_category',
  'assign_series',
  'assign_counterparty',
  'flag',
  'unflag',
]);

function nextType(actions: readonly Draft[]): ActionType {
  return actions.some(({ type }) => type === 'set_category') ? 'add_tag' : 'set_category';
}

interface ActionLineProps {
  action: Draft;
  place: number;
  isAwaited: boolean;
  taken: readonly ActionType[];
  messages: readonly string[];
  onChange: (action: Draft) => void;
  onRemove: () => void;
}

function ActionLine({ action, place, isAwaited, taken, messages, onChange, onRemove }: ActionLineProps) {
  const id = useId();
  const { type } = action;
  return (
    <div role="group" aria-label={`Action ${place}`} data-action className="py-1">
      <div className="flex items-start gap-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-start gap-2">
          <select
            aria-label="What it does"
            aria-describedby={messages.length > 0 ? id : undefined}
            value={type}
            onChange={({ currentTarget: { value } }) => onChange(freshAction(value as ActionType))}
            className={`${FIELD} field-sizing-content w-auto!`}
          >
            {(Object.entries(ACTION_NAMES) as [ActionType, string][])
              .filter(([name]) => name === type || !ONCE.has(name) || !taken.includes(name))
              .map(([name, words]) => (
                <option key={name} value={name}>
                  {words}
                </option>
              ))}
          </select>
          <span className="flex min-w-0 flex-1 basis-28 flex-wrap items-center gap-2 empty:hidden">
            <ActionValue
              action={action}
              isAwaited={isAwaited}
              onChange={onChange}
              describedBy={messages.length > 0 ? id : undefined}
            />
          </span>
        </div>
        <IconButton
          icon={Trash2}
          label={`Remove action ${place}`}
          className="min-h-9! min-w-8! px-1! text-muted pointer-coarse:min-h-11! pointer-coarse:min-w-11!"
          onClick={onRemove}
        />
      </div>
      <Problems id={id} messages={messages} />
    </div>
  );
}

const FIELD = 'field min-h-9 min-w-0 py-1 pointer-coarse:min-h-11';

interface ActionValueProps {
  action: Draft;
  isAwaited: boolean;
  onChange: (action: Draft) => void;
  describedBy: string | undefined;
}

function ActionValue({ action, isAwaited, onChange, describedBy }: ActionValueProps) {
  switch (action.type) {
    case 'set_category':
      return (
        <RecordValue
          kind="category"
          label="Category"
          value={action.category_slug ?? action.category_id ?? ''}
          isOpenAtFirst={isAwaited && !isChosen(action)}
          describedBy={describedBy}
          onChange={(slug) => onChange({ type: 'set_category', category_slug: slug })}
        />
      );
    case 'add_tag':
    case 'remove_tag':
      return (
        <RecordValue
          kind="tag"
          label="Tag"
          value={action.tag_slug}
          allowsNew={action.type === 'add_tag'}
          describedBy={describedBy}
          onChange={(slug) => onChange({ type: action.type, tag_slug: slug })}
        />
      );
    case 'assign_series':
    case 'assign_counterparty':
      return <NamedRecord action={action} onChange={onChange} />;
    case 'set_metadata':
    case 'remove_metadata':
      return <MetadataValue action={action} onChange={onChange} describedBy={describedBy} />;
    case 'add_comment':
      return (
        <textarea
          aria-label="Comment"
          aria-describedby={describedBy}
          rows={2}
          maxLength={LIMITS.commentChars}
          value={action.content}
          onChange={(event) => onChange({ type: 'add_comment', content: event.currentTarget.value })}
          className="field"
        />
      );
    case 'flag':
    case 'unflag':
      return null;
    default:
      return action satisfies never;
  }
}

type OfMetadata = Extract<Draft, { type: 'set_metadata' | 'remove_metadata' }>;

function MetadataValue({
  action,
  onChange,
  describedBy,
}: {
  action: OfMetadata;
  onChange: (action: Draft) => void;
  describedBy: string | undefined;
}) {
  return (
    <>
      <input
        aria-label="Key of the metadata"
        aria-describedby={describedBy}
        placeholder="Key"
        value={action.metadata_key}
        maxLength={RULE_LIMITS.metadataKeyChars}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ ...action, metadata_key: event.currentTarget.value })}
        className={`${FIELD} flex-1`}
      />
      {action.type === 'set_metadata' && (
        <JsonInput value={action.metadata_value} onChange={(value) => onChange({ ...action, metadata_value: value })} />
      )}
    </>
  );
}

/** Text as it is typed; what is a number, true, false, null or an object in JSON is that. */
function JsonInput({ value, onChange }: { value: unknown; onChange: (value: unknown) => void }) {
  const [state, setState] = useState({ text: shown(value), of: value });
  if (state.of !== value) setState({ text: isSame(parse(state.text), value) ? state.text : shown(value), of: value });
  return (
    <input
      aria-label="Value of the metadata"
      placeholder="Value"
      title="Text, or a number, true, false, null or an object as JSON. A number in quotes is text."
      value={state.text}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => {
        const text = event.currentTarget.value;
        const next = parse(text);
        setState({ text, of: next });
        onChange(next);
      }}
      className={`${FIELD} flex-1 font-mono`}
    />
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return isSame(parse(value), value) ? value : JSON.stringify(value);
  return value === undefined ? '' : JSON.stringify(value);
}

import { useCombobox, type UseComboboxReturnValue } from 'downshift';
import { Check, Plus } from 'lucide-react';
import {
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from 'react';

import { messageOf } from '../../api/client.ts';
import { counted, inDigits } from '../../lib/numbers.ts';
import { useInnerEscape } from '../inner-escape.ts';
import { takeTyped } from '../typed-ahead.tsx';
import { findOptions, SHOWN, type Found, type Option, type Result } from './find-options.ts';
import { usePopup } from './popup.ts';

/** How a choice ended, for those who go on to the next field or row. */
export type Via = 'enter' | 'tab' | 'pointer' | 'escape' | 'leave';

export interface PickerProps<Value> {
  /** What is chosen, for which row: "Category of REWE, 23.40 €". */
  label: string;
  value: Value;
  onPick: (value: Value, via: Via) => void;
  onCancel: (via: Via) => void;
  autoFocus?: boolean;
  className?: string;
}

interface New {
  /** "category" */
  what: string;
  /** Why a text cannot be one. */
  refuse?: (text: string) => string | undefined;
  run: (text: string) => Promise<string>;
}

export interface ComboboxProps {
  label: string;
  /** Undefined while they are being read. */
  options: readonly Option[] | undefined;
  /** The ids of those that come first while nothing is typed: likely ones, then recent ones. */
  first?: readonly string[];
  /** The chosen ones, marked in the list. With several it stays open, and picking one again takes it away. */
  chosen: readonly string[];
  isMultiple?: boolean;
  /** What makes a new one of the typed text; it answers with its id. */
  create?: New | undefined;
  placeholder?: string;
  onPick: (id: string, via: Via) => void;
  onCancel: (via: Via) => void;
  autoFocus?: boolean;
  className?: string;
}

const NONE: readonly Option[] = [];
const SHOWN_AT_FIRST = 20;

/**
 * A field with a list below it: type a few letters, go with the arrows, take it with Enter or Tab, leave with Escape. It is
 * open as long as it is there, so whoever shows it takes it away after a pick and gives the focus back.
 */
export function Combobox(props: ComboboxProps) {
  const { label, options, chosen, isMultiple = false, autoFocus = false, className = '' } = props;
  const [text, setText] = useState('');
  const [isTouched, setTouched] = useState(false);
  const box = useRef<HTMLSpanElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { pick, leave, error, isBusy } = useEnding(props, text);
  const found = useFound(props, text);
  const { highlighted, mark, unmark } = useMark(found, chosen, text);
  const write = (next: string): void => {
    setText(next);
    unmark();
  };
  const combobox = useOpenList(found, text, { highlighted, mark }, (item, via) => {
    void pick(item, via);
    if (isMultiple) write('');
  });
  usePopup(box, list);
  useFocusAtFirst(box, autoFocus, write);
  useInnerEscape(box, () => leave('escape'));
  const move = (event: KeyboardEvent): void => {
    if (event.key.startsWith('Arrow')) setTouched(true);
    if (event.key !== 'Tab') return;
    const marked = found.items[combobox.highlightedIndex];
    if (marked && (isTouched || text !== '') && !isMultiple) void pick(marked, 'tab');
    else leave('tab');
  };
  return (
    <span ref={box} className={`block ${className}`}>
      <input
        {...combobox.getInputProps({
          'aria-label': label,
          onChange: ({ currentTarget }) => write(currentTarget.value),
          onKeyDown: move,
          onBlur: () => leave('leave'),
        })}
        placeholder={props.placeholder}
        aria-busy={isBusy || undefined}
        data-may-be-lost
        spellCheck={false}
        className="field min-h-9 py-1 pointer-coarse:min-h-11"
      />
      <div role="presentation" popover="manual" ref={list} className={POPUP} onMouseDown={keepFocus}>
        <Options {...{ label, chosen, isMultiple, found, combobox }} />
        <Notes isLoading={options === undefined} found={found} error={error} />
      </div>
    </span>
  );
}

/** A list that is open all the time, and what is marked in it. */
function useOpenList(
  found: Result,
  text: string,
  { highlighted, mark }: Pick<ReturnType<typeof useMark>, 'highlighted' | 'mark'>,
  onPick: (item: Found, via: Via) => void,
) {
  return useCombobox<Found>({
    items: [...found.items],
    isOpen: true,
    inputValue: text,
    selectedItem: null,
    itemToString: (item) => item?.label ?? '',
    highlightedIndex: highlighted,
    onHighlightedIndexChange: ({ type, highlightedIndex }) => {
      if (type !== useCombobox.stateChangeTypes.InputChange) mark(highlightedIndex);
    },
    onStateChange: ({ type, selectedItem }) => {
      if (!selectedItem) return;
      const isByKey = type === useCombobox.stateChangeTypes.InputKeyDownEnter;
      if (isByKey || type === useCombobox.stateChangeTypes.ItemClick)
        onPick(selectedItem, isByKey ? 'enter' : 'pointer');
    },
  });
}

function useFound({ options, first = [], chosen, create }: ComboboxProps, text: string): Result {
  const most = useMost(options ?? NONE, chosen, text);
  // Nothing is new before it is known what there is.
  const made = options === undefined ? undefined : create?.what;
  return findOptions(options ?? NONE, { text, first: useOrder(first, text), create: made, most });
}

/** What is below the edge of the list comes after the field is there, unless it is chosen or looked for. */
function useMost(options: readonly Option[], chosen: readonly string[], text: string): number {
  const isFirst = useDeferredValue(false, true);
  if (!isFirst || text !== '') return SHOWN;
  return Math.max(SHOWN_AT_FIRST, options.findLastIndex(({ id }) => chosen.includes(id)) + 1);
}

/** What is marked, wherever it is by now: what comes into the list later moves it, and Enter would take another one. */
interface Mark {
  id: string;
  group: string | undefined;
}

function useMark(found: Result, chosen: readonly string[], text: string) {
  const [marked, setMarked] = useState<Mark | null>(null);
  const atFirst = text === '' ? placeOfChosen(chosen, found.items) : 0;
  return {
    highlighted: placeOf(marked, found) ?? atFirst,
    mark: (index: number) => setMarked(markAt(found, index)),
    unmark: () => setMarked(null),
  };
}

function markAt({ items, groups }: Result, index: number): Mark | null {
  const item = items[index];
  return item ? { id: item.id, group: groups.find(({ from, to }) => from <= index && index < to)?.title } : null;
}

function placeOf(mark: Mark | null, { items, groups }: Result): number | undefined {
  if (mark === null) return undefined;
  const group = groups.find(({ title }) => title === mark.group);
  const place = items.findIndex(({ id }, at) => id === mark.id && (!group || (group.from <= at && at < group.to)));
  return place === -1 ? undefined : place;
}

function placeOfChosen(chosen: readonly string[], items: readonly Found[]): number {
  const place = items.findIndex(({ id }) => chosen.includes(id));
  return Math.max(0, place);
}

/** Which ones come first is settled by the first letter: what is found does not change places under the eyes. */
function useOrder(first: readonly string[], text: string): readonly string[] {
  const now = first.join(' ');
  const [order, setOrder] = useState(now);
  if (text === '' && order !== now) setOrder(now);
  return order.split(' ');
}

/** A press on the list leaves the keyboard in the field. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

const POPUP =
  'fixed m-0 max-h-80 min-w-64 overflow-y-auto rounded-card border border-line bg-surface p-1 text-base text-ink shadow-lg';

interface OptionsProps extends Required<Pick<ComboboxProps, 'label' | 'chosen' | 'isMultiple'>> {
  found: Result;
  combobox: Pick<UseComboboxReturnValue<Found>, 'getMenuProps' | 'getItemProps' | 'highlightedIndex'>;
}

function Options({ label, chosen, isMultiple, found, combobox }: OptionsProps) {
  return (
    <div {...combobox.getMenuProps({ 'aria-label': label })} aria-multiselectable={isMultiple || undefined}>
      {found.groups.map(({ title, from, to }) => (
        <div key={title} role="group" aria-label={title}>
          {found.groups.length > 1 && (
            <p aria-hidden className="px-2 pt-2 pb-1 text-xs font-medium text-muted">
              {title}
            </p>
          )}
          {found.items.slice(from, to).map((item, at) => (
            <div
              key={`${item.id} ${from + at}`}
              {...combobox.getItemProps({ item, index: from + at })}
              {...(isMultiple ? { 'aria-selected': chosen.includes(item.id) } : {})}
              data-marked={from + at === combobox.highlightedIndex || undefined}
              className="flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-2 py-1 select-none data-marked:chosen data-marked:bg-accent-soft pointer-coarse:min-h-11"
            >
              <OptionBody item={item} isChosen={chosen.includes(item.id)} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function OptionBody({ item, isChosen }: { item: Found; isChosen: boolean }) {
  return (
    <>
      {item.isNew === true ? <Plus aria-hidden size={16} className="shrink-0" /> : item.leading}
      <bdi className={`min-w-0 flex-1 truncate ${item.isIndented === true ? 'pl-3' : ''}`}>{item.label}</bdi>
      {item.hint !== undefined && <span className="max-w-1/2 truncate text-sm text-muted">{item.hint}</span>}
      {isChosen && <Check role="img" aria-label="chosen" size={16} className="shrink-0 text-accent" />}
    </>
  );
}

interface NotesProps {
  isLoading: boolean;
  found: Result;
  error: string | undefined;
}

function Notes({ isLoading, found: { items, more }, error }: NotesProps) {
  let note: ReactNode = <span className="sr-only">{counted(items.length, 'choice')}</span>;
  if (isLoading) note = 'Loading';
  else if (items.length === 0) note = 'Nothing matches.';
  else if (more > 0) note = `${inDigits(more)} more. Type to find them.`;
  return (
    <>
      <p role="status" className="px-2 text-sm text-muted [&:not(:has(.sr-only))]:py-1">
        {note}
      </p>
      <p role="alert" className="px-2 text-sm font-medium text-danger empty:hidden">
        {error}
      </p>
    </>
  );
}

/** One end only: what takes the field away would otherwise count as leaving it, too. */
function useEnding({ onPick, onCancel, create, isMultiple = false }: ComboboxProps, text: string) {
  const isEnded = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const pick = async (item: Found, via: Via): Promise<void> => {
    if (isEnded.current) return;
    const isNew = item.isNew === true && create;
    const refused = isNew ? create.refuse?.(text) : undefined;
    setError(refused);
    if (refused !== undefined) return;
    isEnded.current = !isMultiple;
    if (!isNew) return onPick(item.id, via);
    setBusy(true);
    try {
      onPick(await create.run(text.trim()), via);
    } catch (failure) {
      isEnded.current = false;
      setError(messageOf(failure));
    } finally {
      setBusy(false);
    }
  };
  const leave = (via: Via): void => {
    if (isEnded.current) return;
    isEnded.current = true;
    onCancel(via);
  };
  return { pick, leave, error, isBusy };
}

/** It has what was typed while it was loading. */
function useFocusAtFirst(box: RefObject<HTMLElement | null>, isWanted: boolean, write: (text: string) => void): void {
  const latest = useRef(write);
  useLayoutEffect(() => {
    if (!isWanted) return;
    box.current?.querySelector('input')?.focus();
    const typed = takeTyped();
    if (typed !== '') latest.current(typed);
  }, [box, isWanted]);
  useEffect(() => {
    // A dialog that opens with it takes the focus after it.
    if (isWanted) box.current?.querySelector('input')?.focus();
  }, [box, isWanted]);
}

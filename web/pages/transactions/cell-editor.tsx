import { Suspense, useEffect, useRef, useState } from 'react';

import { useCategories } from '../../api/lists.ts';
import { formatMoney } from '../../components/money.tsx';
import type { Via } from '../../components/pickers/combobox.tsx';
import { CategoryPicker, CounterpartyPicker, TagsPicker } from '../../components/pickers/later-pickers.tsx';
import { FieldToCome } from '../../components/typed-ahead.tsx';
import { useLikelyCategories } from '../../components/transaction/likely-categories.ts';
import { nameOf, type TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { editRow } from './edits.ts';
import { afterEnding, type Cell } from './grid-keys.ts';
import { edit as openCell, stopEditing, type Place } from './grid-store.ts';
import { useList } from './list-context.ts';

const WORDS: Readonly<Record<Cell, string>> = {
  category: 'Category',
  counterparty: 'Counterparty',
  tags: 'Tags',
  note: 'New comment',
};

interface CellEditorProps {
  row: TransactionRecord;
  cell: Cell;
  place: Place;
}

/** "Category of REWE, 23.40 €" */
export function labelOf(cell: Cell, row: TransactionRecord): string {
  const amount = formatMoney((row.amount ?? '0.00').replace(/^-/, ''), row.iso_currency_code ?? null);
  return `${WORDS[cell]} of ${nameOf(row)}, ${amount}`;
}

/** The open cell of a row, over the row: nothing around it moves. */
export function CellEditor({ row, cell, place }: CellEditorProps) {
  const { goBeside, cells } = useList();
  const { element, isShift } = useKeyNotes();
  const end = (via: Via): void => {
    const next = afterEnding(cell, { via, isShift: isShift.current }, cells);
    if (next.what === 'edit' && next.step === 0) return openCell(row.id, next.cell);
    stopEditing(row.id, cell, { focus: next.what === 'focus' });
    if (next.what === 'edit' && next.step !== 0) goBeside(place, next.step, next.cell);
  };
  return (
    <div
      ref={element}
      className="absolute inset-y-0 right-1 left-12 z-2 flex items-center sm:right-32 sm:left-auto sm:w-80"
    >
      <Suspense fallback={<FieldToCome />}>
        <Field key={`${row.id} ${cell}`} row={row} cell={cell} label={labelOf(cell, row)} onEnd={end} />
      </Suspense>
    </div>
  );
}

/** Notes whether Shift was held, before whatever is in the element acts on the key. */
function useKeyNotes() {
  const element = useRef<HTMLDivElement>(null);
  const isShift = useRef(false);
  useEffect(() => {
    const around = element.current;
    const note = (event: KeyboardEvent): void => {
      isShift.current = event.shiftKey;
      // Where the focus goes is decided once the field has ended.
      if (event.key === 'Tab') event.preventDefault();
    };
    around?.addEventListener('keydown', note, true);
    return () => around?.removeEventListener('keydown', note, true);
  }, []);
  return { element, isShift };
}

interface FieldProps {
  row: TransactionRecord;
  cell: Cell;
  label: string;
  onEnd: (via: Via) => void;
}

function Field(props: FieldProps) {
  if (props.cell === 'category') return <CategoryField {...props} />;
  if (props.cell === 'counterparty') return <CounterpartyField {...props} />;
  return props.cell === 'tags' ? <TagsField {...props} /> : <NoteField {...props} />;
}

function CategoryField({ row, label, onEnd }: FieldProps) {
  const all = useCategories();
  const likely = useLikelyCategories(row);
  const pick = (id: string | null, via: Via): void => {
    if (id !== (row.category_id ?? null) || row.category_source !== 'person') void editRow(row, categoryEdit(id, all));
    onEnd(via);
  };
  return (
    <CategoryPicker
      autoFocus
      className="w-full"
      label={label}
      value={row.category_id ?? null}
      likely={likely}
      newKind={row.amount?.startsWith('-') === true ? 'income' : 'expense'}
      onPick={pick}
      onCancel={onEnd}
    />
  );
}

function categoryEdit(id: string | null, all: ReturnType<typeof useCategories>) {
  const category = id === null ? null : all?.get(id);
  return {
    field: 'category' as const,
    changes: { category_id: id },
    shown: { category_id: id, category_source: 'person' as const, ...(category === undefined ? {} : { category }) },
    words: category ? `Category: ${category.name}` : 'No category',
  };
}

function CounterpartyField({ row, label, onEnd }: FieldProps) {
  const pick = (id: string | null, via: Via): void => {
    if (id !== (row.counterparty_id ?? null)) {
      const changes = { counterparty_id: id };
      void editRow(row, { field: 'counterparty', changes, shown: changes, words: 'Counterparty changed' });
    }
    onEnd(via);
  };
  return (
    <CounterpartyPicker
      autoFocus
      className="w-full"
      label={label}
      value={row.counterparty_id ?? null}
      onPick={pick}
      onCancel={onEnd}
    />
  );
}

/** Each tag is saved as it is ticked. */
function TagsField({ row, label, onEnd }: FieldProps) {
  const tags = row.tags ?? [];
  const toggle = (slug: string, isAdded: boolean): void => {
    const changes = isAdded ? { tags_to_add: [slug] } : { tags_to_remove: [slug] };
    const next = isAdded ? [...tags, slug].toSorted() : tags.filter((tag) => tag !== slug);
    const words = isAdded ? `Tag ${slug} added` : `Tag ${slug} removed`;
    void editRow(row, { field: 'tags', changes, shown: { tags: next }, words });
  };
  return <TagsPicker autoFocus className="w-full" label={label} value={tags} onToggle={toggle} onCancel={onEnd} />;
}

function NoteField({ row, label, onEnd }: FieldProps) {
  const [text, setText] = useState('');
  const isEnded = useRef(false);
  const end = (via: Via): void => {
    if (isEnded.current) return;
    isEnded.current = true;
    const comment = text.trim();
    if (comment !== '' && via !== 'escape') {
      void editRow(row, { field: 'comment', changes: { comment }, shown: {}, words: 'Comment added' });
    }
    onEnd(via);
  };
  return (
    <input
      autoFocus
      aria-label={label}
      placeholder="Add a comment"
      maxLength={LIMITS.commentChars}
      className="field min-h-9 py-1 pointer-coarse:min-h-11"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => end('leave')}
      onKeyDown={({ key, nativeEvent }) => {
        if (nativeEvent.isComposing) return;
        if (key === 'Enter') end('enter');
        if (key === 'Tab') end('tab');
        if (key === 'Escape') end('escape');
      }}
    />
  );
}

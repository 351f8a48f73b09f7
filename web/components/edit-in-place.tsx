import {
  Suspense,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';

import { Button, Hidden } from './button.tsx';
import { useInnerEscape } from './inner-escape.ts';
import { FieldToCome } from './typed-ahead.tsx';

interface EditInPlaceProps {
  /** What is edited, for screen readers: "Category of REWE, 23.40 €". */
  label: string;
  /** The value as it is read. */
  children: ReactNode;
  /** Shown instead while it is edited; calls `end` when it is done. */
  renderEditor: (end: () => void) => ReactNode;
  /** Why it cannot be changed. */
  disabledReason?: string | undefined;
  /** It begins as a field: it is what a person came for. */
  isOpenAtFirst?: boolean;
}

/** A value that becomes a field when it is pressed. Afterwards the focus is back on it, unless it went somewhere else. */
export function EditInPlace({
  label,
  children,
  renderEditor,
  disabledReason,
  isOpenAtFirst = false,
}: EditInPlaceProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const reasonId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (!isOpen && wasOpen.current && isLost) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (isOpen) return <Suspense fallback={<FieldToCome />}>{renderEditor(() => setOpen(false))}</Suspense>;
  const isUnusable = disabledReason !== undefined;
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-disabled={isUnusable || undefined}
        aria-describedby={isUnusable ? reasonId : undefined}
        title={disabledReason ?? 'Change'}
        className={`-mx-2 flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-control px-2 text-left pointer-coarse:min-h-11 ${isUnusable ? 'cursor-default' : 'hover:bg-sunken'}`}
        onClick={() => !isUnusable && setOpen(true)}
      >
        <Hidden>{`${label}: `}</Hidden>
        {children}
      </button>
      {isUnusable && <Hidden id={reasonId}>{disabledReason}</Hidden>}
    </>
  );
}

interface TextInPlaceProps {
  label: string;
  value: string;
  /** Several lines; Enter then needs Ctrl or ⌘. */
  isLong?: boolean;
  /** Enter means something also where nothing was typed. */
  isAlwaysSaved?: boolean;
  maxLength?: number;
  placeholder?: string;
  onSave: (text: string) => void;
  onCancel: () => void;
}

/** A text that is edited in place: Enter and leaving it save, Escape leaves it as it was. */
export function TextInPlace({
  label,
  value,
  isLong = false,
  isAlwaysSaved = false,
  onSave,
  onCancel,
  ...rest
}: TextInPlaceProps) {
  const [text, setText] = useState(value);
  const isEnded = useRef(false);
  const box = useRef<HTMLSpanElement>(null);
  const end = (isSaved: boolean): void => {
    if (isEnded.current) return;
    isEnded.current = true;
    if (isSaved) onSave(text);
    else onCancel();
  };
  useInnerEscape(box, () => end(false));
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, []);
  const act = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    if (isLong && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    end(isAlwaysSaved || text !== value);
  };
  const props = { ...rest, 'aria-label': label, value: text, onKeyDown: act, className: 'field min-h-9 py-1' };
  return (
    <span ref={box} className="block min-w-0 flex-1">
      {isLong ? (
        <>
          <textarea {...props} rows={3} onChange={(event) => setText(event.currentTarget.value)} />
          <span className="mt-1 flex flex-wrap justify-end gap-2">
            <Button onClick={() => end(false)}>Cancel</Button>
            <Button look="primary" onClick={() => end(text !== value)}>
              Save
            </Button>
          </span>
        </>
      ) : (
        <input {...props} onChange={(event) => setText(event.currentTarget.value)} onBlur={() => end(text !== value)} />
      )}
    </span>
  );
}

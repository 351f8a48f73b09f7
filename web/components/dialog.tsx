import { X } from 'lucide-react';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';

import { IconButton } from './button.tsx';
import { confirmLeaving } from './leave-store.ts';
import { openDialogs } from './open-dialogs.ts';
import { useOwnEscape } from './own-escape.ts';
import { useTyped } from './typed.ts';
import { useUnsavedDialog } from './unsaved-changes.tsx';

interface DialogProps {
  title: string;
  /** Rendered only while it is open, so that its state starts fresh each time. */
  open: boolean;
  /** Also called for Escape; not closing it keeps it open. With something typed in it, the person is asked first. */
  onClose: () => void;
  children: ReactNode;
  /** Beside the button that closes it. */
  actions?: ReactNode;
  /** Drawers slide in from the side, and are full pages on small screens. */
  shape?: 'dialog' | 'drawer';
  wide?: boolean;
}

/** Where the focus begins: at what asks for it, else at the first field, else at the close button. */
const FIRST = '[data-autofocus], input:not([type=hidden]), select, textarea';

const SHAPES = {
  dialog: 'm-auto max-h-[85dvh] rounded-card backdrop:bg-[#00000080]',
  // The page beside it can still be read.
  drawer: 'my-0 mr-0 ml-auto h-dvh max-h-dvh backdrop:bg-[#00000040] sm:rounded-l-card',
};

/**
 * The browser's own modal dialog: it keeps the focus inside, gives it back, and hides the rest of the page from everybody.
 * Escape closes the topmost. The page policy allows no styles that a library would add for the same.
 */
export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} /> : null;
}

function OpenDialog({ title, onClose, children, actions, shape = 'dialog', wide = false }: Omit<DialogProps, 'open'>) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const hasTyped = useTyped(element);
  const close = async (): Promise<void> => {
    if (!hasTyped() || (await confirmLeaving('dialog'))) onClose();
  };
  useOwnEscape(element, () => void close());
  useUnsavedDialog(hasTyped);
  // Before the effects of what is in it: a list that opens with it would be below it.
  useLayoutEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    if (!dialog) return undefined;
    if (!dialog.open) dialog.showModal();
    openDialogs.set([...openDialogs.get(), dialog]);
    dialog.querySelector<HTMLElement>(FIRST)?.focus();
    return () => {
      openDialogs.set(openDialogs.get().filter((other) => other !== dialog));
      dialog.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const width = shape === 'drawer' || wide ? 'max-w-2xl' : 'max-w-lg';
  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      className={`w-full ${width} ${SHAPES[shape]} border border-line bg-surface text-ink shadow-2xl max-sm:max-w-[calc(100%-2rem)] ${shape === 'drawer' ? 'max-sm:max-w-full' : ''}`}
      onCancel={(event) => {
        event.preventDefault();
        if (event.target === element.current) void close();
      }}
    >
      <div className="flex max-h-[inherit] flex-col">
        <div className="flex items-start justify-between gap-4 border-b border-line py-3 pr-3 pl-6">
          <h2 id={titleId} className="min-w-0 pt-1.5 text-lg font-semibold wrap-anywhere">
            {title}
          </h2>
          <div className="flex shrink-0">
            {actions}
            <IconButton icon={X} label="Close" onClick={() => void close()} />
          </div>
        </div>
        <div className="overflow-y-auto p-6">{children}</div>
      </div>
    </dialog>
  );
}

export function Drawer(props: Omit<DialogProps, 'shape' | 'wide'>) {
  return <Dialog {...props} shape="drawer" />;
}

import { useState, type ReactNode } from 'react';

import { ErrorBanner } from './banner.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  open: boolean;
  /** A question that names what: "Delete Ana?" */
  title: string;
  /** What will happen, and to how many. */
  children: ReactNode;
  /** The verb: "Delete". */
  action: string;
  /** Destructive ones are red and have Cancel as the default. */
  destructive?: boolean;
  /** A name that has to be typed first. */
  typeToConfirm?: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

export function ConfirmDialog({ open, onClose, title, ...rest }: ConfirmDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <Confirmation onClose={onClose} {...rest} />
    </Dialog>
  );
}

function Confirmation({
  children,
  action,
  destructive = true,
  typeToConfirm,
  onConfirm,
  onClose,
}: Omit<ConfirmDialogProps, 'open' | 'title'>) {
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const isConfirmed = typeToConfirm === undefined || asSeen(typed) === asSeen(typeToConfirm);

  async function confirm(): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed && !isBusy) void confirm();
      }}
    >
      {error !== undefined && <ErrorBanner error={error} />}
      <div className="text-muted wrap-anywhere">{children}</div>
      {typeToConfirm !== undefined && <NameField name={typeToConfirm} typed={typed} onType={setTyped} />}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={onClose} data-autofocus={(destructive && typeToConfirm === undefined) || undefined}>
          Cancel
        </Button>
        <Button
          type="submit"
          look={destructive ? 'danger' : 'primary'}
          busy={isBusy}
          disabledReason={isConfirmed ? undefined : 'Type the name first.'}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}

function NameField({ name, typed, onType }: { name: string; typed: string; onType: (text: string) => void }) {
  return (
    <label className="mt-4 block">
      <span className="mb-1 block font-medium">
        Type{' '}
        <strong className="wrap-anywhere">
          <bdi>{name}</bdi>
        </strong>{' '}
        to confirm
      </span>
      <input
        className="field target"
        value={typed}
        autoComplete="off"
        spellCheck={false}
        data-may-be-lost
        onChange={(event) => onType(event.currentTarget.value)}
      />
    </label>
  );
}

/** What a person can see of a name and type again: pages show several spaces as one, and some characters not at all. */
function asSeen(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

import { FileUp } from 'lucide-react';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';

import { useReasonAgainst } from '../../api/session.ts';
import { Button, type ButtonLook } from '../button.tsx';
import { offerFiles } from './import-queue.ts';

interface ImportButtonProps {
  look?: ButtonLook;
  children?: ReactNode;
}

/** Chooses bank files; what they hold is shown in a sheet before anything is written. */
export function ImportButton({ look = 'secondary', children = 'Import a file' }: ImportButtonProps) {
  const reason = useReasonAgainst('full_access');
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button look={look} icon={FileUp} disabledReason={reason} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <FileInput input={input} />
    </>
  );
}

interface DropAreaProps {
  /** Where choosing a file is what the page is for. */
  autoFocus?: boolean;
}

/** The same as a large area. Files can be dropped anywhere on a page, so nothing depends on hitting it. */
export function DropArea({ autoFocus = false }: DropAreaProps) {
  const reason = useReasonAgainst('full_access');
  const input = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // After the heading, which has the focus of a page that was just opened.
    if (autoFocus) area.current?.focus();
  }, [autoFocus]);
  return (
    <>
      <button
        ref={area}
        type="button"
        aria-disabled={reason !== undefined || undefined}
        title={reason}
        className="flex w-full flex-col items-center rounded-card border-2 border-dashed border-line-strong px-6 py-10 text-center hover:border-accent hover:bg-accent-soft aria-disabled:cursor-not-allowed aria-disabled:border-line aria-disabled:hover:bg-transparent"
        onClick={() => reason === undefined && input.current?.click()}
      >
        <span className="mb-3 rounded-full bg-accent-soft p-3 text-accent">
          <FileUp aria-hidden size={28} />
        </span>
        <span className="text-lg font-semibold">Choose a file from your bank</span>
        <span className="mt-1 text-muted">
          {reason ??
            'Or drop one or several anywhere on this page. You see what is in them before anything is written.'}
        </span>
        <span className="mt-1 text-sm text-muted">CSV, OFX, QFX, QIF, CAMT.053 or MT940, up to 50 MiB</span>
      </button>
      <FileInput input={input} />
    </>
  );
}

function FileInput({ input }: { input: RefObject<HTMLInputElement | null> }) {
  return (
    <input
      ref={input}
      type="file"
      multiple
      hidden
      aria-label="Bank files"
      onChange={({ currentTarget }) => {
        offerFiles(currentTarget.files ?? []);
        // The same file can be chosen again.
        currentTarget.value = '';
      }}
    />
  );
}

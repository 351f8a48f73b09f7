import { Check, Copy } from 'lucide-react';
import { useRef, useState } from 'react';

import { Button, IconButton } from './button.tsx';

/** Text to copy. Over plain http browsers have no clipboard, so there it is selected instead. */
export function Snippet({ text, label }: { text: string; label: string }) {
  const code = useRef<HTMLElement>(null);
  const { state, copy } = useCopy(text, code);
  return (
    <div className="mb-4">
      <div className="flex items-start gap-1 rounded-control border border-line bg-sunken py-1 pr-1 pl-3">
        <pre className="min-w-0 flex-1 py-2 text-sm whitespace-pre-wrap" aria-label={label}>
          <code ref={code} className="font-mono wrap-anywhere">
            {text}
          </code>
        </pre>
        <IconButton icon={state === 'copied' ? Check : Copy} label={`Copy ${label}`} onClick={copy} />
      </div>
      <CopyState state={state} />
    </div>
  );
}

/** The same behind a button, for what need not be read. Where it cannot be copied it is shown to be selected. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const code = useRef<HTMLElement>(null);
  const { state, copy } = useCopy(text, code);
  return (
    <span>
      <Button icon={state === 'copied' ? Check : Copy} onClick={copy}>
        {label}
      </Button>
      <code ref={code} className={state === 'selected' ? 'mt-1 block text-sm wrap-anywhere' : 'sr-only'}>
        {text}
      </code>
      <CopyState state={state} />
    </span>
  );
}

type CopyResult = 'none' | 'copied' | 'selected';

function useCopy(text: string, element: React.RefObject<HTMLElement | null>) {
  const [state, setState] = useState<CopyResult>('none');
  async function write(): Promise<void> {
    try {
      // Absent on pages that did not come over https.
      const clipboard = navigator.clipboard as Clipboard | undefined;
      if (!clipboard) throw new Error('There is no clipboard.');
      await clipboard.writeText(text);
      setState('copied');
    } catch {
      if (element.current) getSelection()?.selectAllChildren(element.current);
      setState('selected');
    }
  }
  return { state, copy: () => void write() };
}

function CopyState({ state }: { state: CopyResult }) {
  return (
    <p role="status" className="mt-1 text-sm text-muted empty:hidden">
      {state === 'copied' && 'Copied.'}
      {state === 'selected' && 'Selected. Copy it with your keyboard, or press and hold it on a touch screen.'}
    </p>
  );
}

interface SecretOnceProps {
  /** What it is: "API key". */
  label: string;
  secret: string;
  /** After that it is gone from the page. */
  onSaved: () => void;
}

/** A secret that is shown once: to copy, and to confirm that it is in a safe place. */
export function SecretOnce({ label, secret, onSaved }: SecretOnceProps) {
  const code = useRef<HTMLElement>(null);
  const { state, copy } = useCopy(secret, code);
  return (
    <div className="rounded-card border border-accent bg-accent-soft p-4">
      <p className="font-semibold">{label}</p>
      <p className="mb-3 text-sm">It is shown only once. Keep it in a safe place, such as a password manager.</p>
      <p className="mb-3 rounded-control bg-surface p-3 font-mono break-all">
        <code ref={code}>{secret}</code>
      </p>
      <div className="flex flex-wrap gap-3">
        <Button icon={state === 'copied' ? Check : Copy} onClick={copy}>
          Copy
        </Button>
        <Button look="primary" onClick={onSaved}>
          I have saved it
        </Button>
      </div>
      <CopyState state={state} />
    </div>
  );
}

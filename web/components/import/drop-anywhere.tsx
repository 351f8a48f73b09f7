import { FileUp } from 'lucide-react';
import { useEffect, useState } from 'react';

import { useReasonAgainst } from '../../api/session.ts';
import { showToast } from '../toast-store.ts';
import { offerFiles } from './import-queue.ts';

/** After so long without a word the files are outside of the window. */
const GONE_MS = 400;

/** Takes bank files that are dropped on any page, and says so while they are above it. */
export function DropAnywhere() {
  const reason = useReasonAgainst('full_access');
  const [isAbove, setAbove] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (): void => {
      clearTimeout(timer);
      setAbove(false);
    };
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer && reason !== undefined) event.dataTransfer.dropEffect = 'none';
      setAbove(true);
      clearTimeout(timer);
      timer = setTimeout(end, GONE_MS);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      end();
      if (reason === undefined) offerFiles(event.dataTransfer?.files ?? []);
      else showToast(reason);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('drop', drop);
    return () => {
      end();
      document.removeEventListener('dragover', over);
      document.removeEventListener('drop', drop);
    };
  }, [reason]);
  if (!isAbove) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-canvas/80 p-4 print:hidden">
      <p className="flex items-center gap-3 rounded-card border-2 border-dashed border-accent bg-surface px-8 py-6 text-lg font-semibold shadow-lg">
        <FileUp aria-hidden size={24} className="shrink-0 text-accent" />
        {reason ?? 'Drop to look at what is in it'}
      </p>
    </div>
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}

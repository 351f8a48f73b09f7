import { Undo2 } from 'lucide-react';

import { undoneInWords, type ChangeSet } from './change-set-words.ts';

/** The mark of what was undone, wholly or in part: beside every result of a change set. Nothing while it is in force. */
export function Undone({ status }: { status: ChangeSet['status'] | null | undefined }) {
  const words = undoneInWords(status);
  if (words === undefined) return null;
  return (
    <span className="inline-flex items-center gap-1.5 rounded-full bg-sunken px-2.5 py-0.5 text-sm font-medium whitespace-nowrap text-ink">
      <Undo2 aria-hidden size={15} className="shrink-0" />
      {words}
    </span>
  );
}

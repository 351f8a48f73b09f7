import { TriangleAlert } from 'lucide-react';
import { createContext, useContext } from 'react';

import { Button } from './button.tsx';
import type { FieldConflict } from './merge-fields.ts';

interface Conflicts {
  of: (name: string) => FieldConflict | undefined;
  choose: (name: string, value: unknown) => void;
}

/** What a form over a record knows of changes that were saved elsewhere meanwhile. */
export const ConflictContext = createContext<Conflicts>({ of: () => undefined, choose: () => undefined });

export function useConflict(name: string): FieldConflict | undefined {
  return useContext(ConflictContext).of(name);
}

interface ConflictNoteProps {
  id: string;
  name: string;
  /** The words for a value, such as the label of an option. */
  say?: ((value: unknown) => string) | undefined;
}

/** Both values of a field, and the choice between them. */
export function ConflictNote({ id, name, say = inWords }: ConflictNoteProps) {
  const { of, choose } = useContext(ConflictContext);
  const conflict = of(name);
  if (!conflict) return null;
  const { mine, theirs } = conflict;
  return (
    <div id={id} role="alert" data-conflict className="mt-2 rounded-control bg-warning-soft p-3 text-sm text-ink">
      <p className="mb-2 flex items-start gap-1.5 font-medium">
        <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
        This was changed elsewhere while you edited it. Which one is right?
      </p>
      <div className="flex flex-wrap gap-2">
        <Button className="max-w-full" onClick={() => choose(name, mine)}>
          <span className="min-w-0 wrap-anywhere">Yours: {say(mine)}</span>
        </Button>
        <Button className="max-w-full" onClick={() => choose(name, theirs)}>
          <span className="min-w-0 wrap-anywhere">Saved meanwhile: {say(theirs)}</span>
        </Button>
      </div>
    </div>
  );
}

function inWords(value: unknown): string {
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (value === null || value === undefined || value === '') return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

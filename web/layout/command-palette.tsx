import { useNavigate } from '@tanstack/react-router';
import { useId, useState, type KeyboardEvent } from 'react';

import { PAGES } from '../../src/contract/pages.ts';
import { fold } from '../../src/kernel/fold.ts';
import { signOut, type Session } from '../api/session.ts';
import { Dialog } from '../components/dialog.tsx';
import { createStore, useStore } from '../lib/store.ts';
import { theme } from '../lib/theme.ts';
import { mayOpen } from './navigation.ts';

interface Command {
  label: string;
  kind: 'Page' | 'Action';
  run: () => void;
}

const isPaletteOpen = createStore(false);

export function openPalette(): void {
  isPaletteOpen.set(true);
}

/** Every page and action by its name. */
export function CommandPalette({ session }: { session: Session | undefined }) {
  const open = useStore(isPaletteOpen);
  const commands = useCommands(session);
  return (
    <Dialog open={open} title="Go to" onClose={() => isPaletteOpen.set(false)}>
      <Palette commands={commands} />
    </Dialog>
  );
}

function useCommands(session: Session | undefined): Command[] {
  const navigate = useNavigate();
  const pages = PAGES.filter(
    (page) => page.audience !== 'visitor' && !/^\/internal\/|\{/.test(page.path) && mayOpen(page, session),
  );
  return [
    ...pages.map(({ path, title }) => ({
      label: title,
      kind: 'Page' as const,
      run: () => void navigate({ to: path }),
    })),
    { label: 'Use the light theme', kind: 'Action', run: () => theme.set('light') },
    { label: 'Use the dark theme', kind: 'Action', run: () => theme.set('dark') },
    { label: 'Use the system theme', kind: 'Action', run: () => theme.set('system') },
    { label: 'Sign out', kind: 'Action', run: () => void signOut() },
  ];
}

function Palette({ commands }: { commands: readonly Command[] }) {
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const words = fold(text).split(' ').filter(Boolean);
  const found = commands.filter(({ label }) => words.every((word) => fold(label).includes(word)));
  const active = Math.min(at, found.length - 1);

  function choose(command: Command | undefined): void {
    if (!command) return;
    isPaletteOpen.set(false);
    command.run();
  }

  function move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setAt((active + step + found.length) % found.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      choose(found[active]);
    }
  }

  return (
    <>
      <input
        role="combobox"
        aria-label="Page or action"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${active}`}
        aria-autocomplete="list"
        className="field target mb-3"
        value={text}
        autoComplete="off"
        onKeyDown={move}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
      />
      <CommandList id={id} commands={found} active={active} onPoint={setAt} onChoose={choose} />
      <p role="status" className="text-muted empty:hidden">
        {found.length === 0 && 'No page or action matches.'}
      </p>
    </>
  );
}

interface CommandListProps {
  id: string;
  commands: readonly Command[];
  active: number;
  onPoint: (index: number) => void;
  onChoose: (command: Command) => void;
}

/** The keyboard stays in the field above, which names the active option; here the pointer chooses. */
function CommandList({ id, commands, active, onPoint, onChoose }: CommandListProps) {
  return (
    <div id={`${id}-list`} role="listbox" aria-label="Pages and actions">
      {commands.map((command, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- see above
        <div
          key={command.label}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className="target flex cursor-pointer items-center justify-between rounded-control px-3 py-1.5 aria-selected:chosen aria-selected:bg-accent-soft"
          // A list that appears below a resting pointer is not pointed at.
          onMouseMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && onPoint(index)}
          onClick={() => onChoose(command)}
        >
          {command.label}
          <span className="text-sm text-muted">{command.kind}</span>
        </div>
      ))}
    </div>
  );
}

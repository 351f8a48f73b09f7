import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

import { PAGES } from '../../src/contract/pages.ts';
import { Dialog } from '../components/dialog.tsx';
import { openPalette } from './command-palette.tsx';
import { isFree, shortcuts } from './page-keys.ts';

const SEQUENCE_MS = 1_500;

const LETTERS = PAGES.flatMap((page) =>
  'letter' in page ? [{ letter: page.letter, path: page.path, title: page.title }] : [],
);

/** Listens to the keys of the whole page, and lists them at `?`. */
export function Shortcuts() {
  const [isListOpen, openList] = useState(false);
  const navigate = useNavigate();
  const isAfterG = useRef(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listen = (event: KeyboardEvent): void => {
      if (isPaletteKey(event)) {
        event.preventDefault();
        openPalette();
        return;
      }
      if (shortcuts.get() === 'off' || !isFree(event)) return;
      const page = isAfterG.current ? LETTERS.find(({ letter }) => letter === event.key) : undefined;
      isAfterG.current = event.key === 'g' && !isAfterG.current;
      clearTimeout(timer);
      timer = setTimeout(() => (isAfterG.current = false), SEQUENCE_MS);
      if (page) void navigate({ to: page.path });
      if (event.key === '?') openList(true);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [navigate]);
  return (
    <Dialog open={isListOpen} title="Keyboard shortcuts" onClose={() => openList(false)}>
      <ShortcutList />
    </Dialog>
  );
}

function isPaletteKey(event: KeyboardEvent): boolean {
  return event.key === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
}

export function ShortcutList() {
  const rows = [
    ['Ctrl K or ⌘ K', 'Go to a page or run an action'],
    ['?', 'List the shortcuts'],
    ...LETTERS.map(({ letter, title }) => [`g, then ${letter}`, `Open ${title}`]),
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
      {rows.map(([keys, what]) => (
        <div key={keys} className="contents">
          <dt>
            <kbd className="rounded-control border border-line bg-sunken px-2 py-0.5 font-mono text-sm">{keys}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}

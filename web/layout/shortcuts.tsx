import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

import { PAGES } from '../../src/contract/pages.ts';
import { Dialog } from '../components/dialog.tsx';
import { togglePrivacy } from '../lib/privacy.ts';
import { createStore, useStore } from '../lib/store.ts';
import { openPalette } from './command-palette.tsx';
import { isFree, shortcuts, SEQUENCE_MS } from './page-keys.ts';

const LETTERS = PAGES.flatMap((page) =>
  'letter' in page ? [{ letter: page.letter, path: page.path, title: page.title }] : [],
);

const isListOpen = createStore(false);

export function openShortcuts(): void {
  isListOpen.set(true);
}

/** Listens to the keys of the whole page, and lists them at `?`. */
export function Shortcuts() {
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
      else if (event.key === 'h') togglePrivacy();
      if (event.key === '?') openShortcuts();
      if (event.key === '/' && !hasSearchBox()) {
        event.preventDefault();
        openPalette();
      }
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [navigate]);
  return (
    <Dialog open={useStore(isListOpen)} title="Keyboard shortcuts" onClose={() => isListOpen.set(false)}>
      <ShortcutList />
    </Dialog>
  );
}

/** A page with a search of its own goes to it at `/`. */
function hasSearchBox(): boolean {
  return document.querySelector('main input[type=search]') !== null;
}

function isPaletteKey(event: KeyboardEvent): boolean {
  return event.key === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
}

/** On pages with rows. */
const OF_LISTS = [
  ['j and k', 'The next row and the one before'],
  ['x', 'Select the row'],
  ['Enter', 'Open the row'],
  ['z', 'Undo the last change'],
  ['Escape', 'Close what is on top'],
] as const;

const OF_TRANSACTIONS = [
  ['c, t, m', 'Category, tags and comment of a transaction, or of all that are ticked'],
  ['f, r', 'Flag, or take the flag off; looked at'],
  ['R', 'Make the rule that is offered'],
  ['n', 'Begin a rule with a transaction, or with all that are ticked'],
  ['J and K', 'Select on the way'],
  ['e', 'Select everything that matches'],
  ['[ and ]', 'The month before and after'],
] as const;

export function ShortcutList() {
  const rows = [
    ['Ctrl K or ⌘ K', 'Search transactions, accounts, pages and actions'],
    ['/', 'Search on this page, or everywhere'],
    ['h', 'Hide all amounts, or show them again'],
    ['?', 'List the shortcuts'],
    ...LETTERS.map(({ letter, title }) => [`g, then ${letter}`, `Open ${title}`]),
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
      {[...rows, ...OF_LISTS, ...OF_TRANSACTIONS].map(([keys, what]) => (
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

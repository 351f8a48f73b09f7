import { useEffect, useRef } from 'react';

import { definePreference } from '../lib/preference.ts';

/** Single keys get in the way of speech input, so they can be switched off. */
export const shortcuts = definePreference('shortcuts', ['on', 'off']);

/** Whether a key belongs to nothing else: no input, no dialog, no combination. */
export function isFree(event: KeyboardEvent): boolean {
  return isFreeIn(event, 0);
}

/** The same for a dialog whose own keys they are: with so many dialogs open, it is the topmost. */
export function isFreeIn({ target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent, dialogs: number): boolean {
  if (ctrlKey || metaKey || altKey || isComposing) return false;
  if (document.querySelectorAll('dialog[open]').length !== dialogs) return false;
  return !(target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role=menu]'));
}

/** So long after `g`, the next letter opens a page. */
export const SEQUENCE_MS = 1_500;
let lastG = -Infinity;
let isAfterG = false;

// Before anybody acts on the key: after `g` it is no key of the page.
document.addEventListener(
  'keydown',
  (event) => {
    isAfterG = event.timeStamp - lastG < SEQUENCE_MS;
    lastG = event.key === 'g' && isFree(event) && !isAfterG ? event.timeStamp : -Infinity;
  },
  true,
);

/** What the pages and parts of pages that are on screen listen to. */
const listening = new Set<{ current: Readonly<Record<string, () => void>> }>();

/** A key that does the same everywhere, unless the page has its own meaning for it. */
export function useCommonKey(key: string, act: () => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== key || shortcuts.get() === 'off' || isAfterG || !isFree(event)) return;
      if ([...listening].some(({ current }) => key in current)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [key]);
}

/** Single keys of a page, such as `j` for the next row. They are off where people switched shortcuts off. */
export function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const act = latest.current[event.key];
      if (act === undefined || shortcuts.get() === 'off' || isAfterG || !isFree(event)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', listen);
    listening.add(latest);
    return () => {
      document.removeEventListener('keydown', listen);
      listening.delete(latest);
    };
  }, []);
}

/** For Enter and Space: a button or link that has the focus is pressed, as anywhere else. */
export function unlessControl(act: () => void): () => void {
  return () => {
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && focused.matches('button, a[href], summary')) focused.click();
    else act();
  };
}

/** Moves the focus to the row before or after the one that has it: rows are elements with this attribute. */
export function focusRow(attribute: string, step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(`[${attribute}]`)];
  const now = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[now === -1 ? (step === 1 ? 0 : rows.length - 1) : now + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

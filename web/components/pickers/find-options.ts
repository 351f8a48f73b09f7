import type { ReactNode } from 'react';

import { fold } from '../../../src/kernel/fold.ts';

export interface Option {
  id: string;
  label: string;
  /** What it belongs to; found by it, too. */
  hint?: string;
  /** A dot or sign before the label. */
  leading?: ReactNode;
  /** Stands under the one before it. */
  isIndented?: boolean;
}

/** One that can be taken: `isNew` is what the typed text would make. */
export interface Found extends Option {
  isNew?: boolean;
}

interface Search {
  text: string;
  first: readonly string[];
  /** What a new one is called: "category". */
  create?: string | undefined;
  /** Of how many of them it is made. */
  most?: number;
}

interface Group {
  title: string;
  from: number;
  to: number;
}

export interface Result {
  items: readonly Found[];
  groups: readonly Group[];
  /** How many are left out, because nobody reads so many. */
  more: number;
}

/** Nobody reads more. */
export const SHOWN = 150;
const FIRST = 6;

/** What a list shows: all with the likely ones on top, or those that a text matches, the nearest first. */
export function findOptions(options: readonly Option[], { text, first, create, most = SHOWN }: Search): Result {
  const wanted = fold(text).trim();
  if (wanted === '') return unsearched(options, first, most);
  const rank = (option: Option): number => nearness(fold(option.label), fold(option.hint ?? ''), wanted);
  const matches = options
    .map((option) => ({ option, near: rank(option), at: first.indexOf(option.id) }))
    .filter(({ near }) => near > 0)
    .toSorted((a, b) => b.near - a.near || placeOf(a.at) - placeOf(b.at));
  const items: Found[] = matches.slice(0, most).map(({ option }) => ({ ...option, isIndented: false }));
  const isThere = options.some(({ label }) => fold(label) === wanted);
  if (create !== undefined && !isThere) items.push({ id: '', label: `New ${create} “${text.trim()}”`, isNew: true });
  return { items, groups: groupsOf(['Found', items.length]), more: Math.max(0, matches.length - most) };
}

function unsearched(options: readonly Option[], first: readonly string[], most: number): Result {
  const known = new Map(options.map((option) => [option.id, option]));
  const likely = [...new Set(first)]
    .flatMap((id) => known.get(id) ?? [])
    .slice(0, FIRST)
    .map((option) => ({ ...option, isIndented: false }));
  const rest = options.slice(0, most);
  return {
    items: [...likely, ...rest],
    groups: groupsOf(['Likely', likely.length], ['All', rest.length]),
    more: options.length - rest.length,
  };
}

function groupsOf(...sizes: readonly (readonly [title: string, size: number])[]): Group[] {
  let from = 0;
  return sizes.flatMap(([title, size]) => {
    const group = { title, from, to: (from += size) };
    return size === 0 ? [] : [group];
  });
}

/** All words must occur. The beginning of the label is nearest, then the beginning of one of its words. */
function nearness(label: string, hint: string, wanted: string): number {
  const words = wanted.split(' ');
  if (!words.every((word) => label.includes(word) || hint.includes(word))) return 0;
  if (label === wanted) return 5;
  if (label.startsWith(wanted)) return 4;
  if (words.every((word) => beginsWord(label, word))) return 3;
  return words.every((word) => label.includes(word)) ? 2 : 1;
}

function beginsWord(label: string, word: string): boolean {
  return label.startsWith(word) || label.includes(` ${word}`);
}

function placeOf(index: number): number {
  return index === -1 ? Number.MAX_SAFE_INTEGER : index;
}

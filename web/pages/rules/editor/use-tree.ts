import { useEffect, useRef, useState, type RefObject } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';

import { fromJson, orderOf, pathsOf, toJson, type Problem, type Tree } from './tree.ts';

export interface Editing {
  tree: Tree;
  /** Shows another tree; the focus goes to a part of one of its nodes, if one is named. */
  change: (tree: Tree, focus?: string, part?: string) => void;
  /** The focus goes to what now stands in its place. */
  removed: (tree: Tree, id: string) => void;
  /** What the server says about a row or group itself. */
  problemsOf: (id: string) => readonly string[];
}

interface Held {
  tree: Tree;
  /** The value of the form that it is, and the one that the form had before it. */
  text: string;
  before: string;
}

/** The condition of the form as a tree whose nodes keep their ids, whoever changes it. */
export function useTree(problems: readonly Problem[], box: RefObject<HTMLElement | null>): Editing {
  const { setValue } = useFormContext();
  const text = JSON.stringify(useWatch({ name: 'condition' }) ?? {});
  const [held, hold] = useState<Held>(() => ({ tree: treeOf(text), text, before: text }));
  const isOwn = text === held.text;
  if (isOwn ? held.before !== text : text !== held.before) {
    hold(isOwn ? { ...held, before: text } : { tree: treeOf(text), text, before: text });
  }
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    box.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = undefined;
  });
  const { tree } = held;
  const show = (next: Tree): void => {
    const json = toJson(next);
    hold({ tree: next, text: JSON.stringify(json), before: text });
    setValue('condition', json, { shouldDirty: true });
  };
  const paths = pathsOf(tree);
  return {
    tree,
    change: (next, focus, part) => {
      if (focus !== undefined) wanted.current = partOf(focus, part ?? 'field');
      show(next);
    },
    removed: (next, id) => {
      const left = new Set(orderOf(next));
      const order = orderOf(tree);
      const at = order.indexOf(id);
      const after = order.slice(at).find((one) => left.has(one));
      const beside = after ?? order.slice(0, at).findLast((one) => left.has(one));
      wanted.current = beside === undefined ? '[data-part="add"]' : partOf(beside, 'field');
      show(next);
    },
    problemsOf: (id) => {
      const path = paths.get(id);
      return path === undefined ? [] : problems.filter((one) => isAbout(one.path, path)).map(inWords);
    },
  };
}

function partOf(id: string, part: string): string {
  return `[data-node="${id}"] [data-part="${part}"]`;
}

function treeOf(text: string): Tree {
  return fromJson(JSON.parse(text) as unknown).tree;
}

const OWN_PART = /^(\.(field|op|value|min|max|tolerance)(\[\d+\])?)?$/;

/** Not about one of the nodes below it. */
function isAbout(path: string, node: string): boolean {
  return path.startsWith(node) && OWN_PART.test(path.slice(node.length));
}

/** "must not be blank" */
function inWords({ message }: Problem): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
}

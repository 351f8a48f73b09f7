import { posix } from 'node:path';

import type { ESTree } from 'vite';

import type { SourceFile } from './tree.ts';

/** The files that each file imports when it is loaded: not those it only takes types from, nor those it loads later. */
export function linksOf(files: readonly SourceFile[]): Map<string, string[]> {
  const links = new Map<string, string[]>();
  for (const file of files.filter(({ isCode }) => isCode)) {
    const targets: string[] = [];
    const add = (source: ESTree.StringLiteral | null): void => {
      if (source?.value.startsWith('.')) targets.push(posix.join(posix.dirname(file.path), source.value));
    };
    file.visit({
      ImportDeclaration: (node) => {
        const isOfTypes =
          node.specifiers.length > 0 &&
          node.specifiers.every((one) => one.type === 'ImportSpecifier' && one.importKind === 'type');
        if (node.importKind !== 'type' && !isOfTypes) add(node.source);
      },
      ExportNamedDeclaration: (node) => {
        if (node.exportKind !== 'type') add(node.source);
      },
      ExportAllDeclaration: (node) => {
        if (node.exportKind !== 'type') add(node.source);
      },
    });
    links.set(file.path, targets);
  }
  return links;
}

/** Groups of files that all lead to each other, sorted by name. */
export function circlesOf(links: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map([...links.keys()].map((file) => [file, reachableFrom(file, links)]));
  const circles = new Map<string, string[]>();
  for (const [file, targets] of reached) {
    if (!targets.has(file)) continue;
    const circle = [...targets].filter((target) => reached.get(target)?.has(file) === true).sort();
    circles.set(circle.join('\n'), circle);
  }
  return [...circles.values()];
}

function reachableFrom(start: string, links: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>();
  const waiting = [start];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const target of links.get(file) ?? []) {
      if (found.has(target)) continue;
      found.add(target);
      waiting.push(target);
    }
  }
  return found;
}

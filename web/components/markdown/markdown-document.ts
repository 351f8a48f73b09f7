import type {
  Definition,
  Image,
  ImageReference,
  Link,
  LinkReference,
  List,
  Nodes,
  PhrasingContent,
  RootContent,
  Table,
  TableCell,
} from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item';

import { linkTarget, type LinkTarget } from './link-target.ts';

/** What a report may show: no markup of its own, no image, and links that have been judged. */
export type Block =
  | { type: 'paragraph'; children: Inline[] }
  /** HTML, as it was written. */
  | { type: 'source'; text: string }
  | { type: 'heading'; level: number; children: Inline[] }
  | { type: 'quote'; children: Block[] }
  | { type: 'list'; start: number | null; items: ListItem[] }
  | { type: 'code'; text: string }
  | { type: 'rule' }
  | { type: 'table'; align: readonly (string | null)[]; rows: Inline[][][] };

export interface ListItem {
  /** null unless it is a task. */
  isDone: boolean | null;
  children: Block[];
}

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'break' }
  | { type: 'strong' | 'emphasis' | 'delete'; children: Inline[] }
  | { type: 'link'; target: LinkTarget; children: Inline[] };

const OPTIONS = {
  extensions: [gfmTable(), gfmStrikethrough(), gfmTaskListItem()],
  mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown(), gfmTaskListItemFromMarkdown()],
};
/** Deeper than anything written for a reader. */
const MAX_DEPTH = 40;
/** More than a browser shows at once without a pause. */
const MAX_NODES = 20_000;

/** A text that would cost the browser too much; it is shown as it was written. */
export class TooIntricate extends Error {}

/** What stays the same while a document is read. */
interface Reading {
  definitions: ReadonlyMap<string, Definition>;
  nodesLeft: number;
}

/** Reads Markdown: CommonMark with tables, strike-through and task lists. @throws TooIntricate */
export function toDocument(source: string): Block[] {
  const tree = fromMarkdown(source, OPTIONS);
  const reading = { definitions: definitionsIn(tree), nodesLeft: MAX_NODES };
  return inOutline(blocksOf(tree.children, reading, 0));
}

/** The first definition of a label is the one that counts. */
function definitionsIn(tree: Nodes): Map<string, Definition> {
  const found = new Map<string, Definition>();
  for (const node of everyNode(tree)) {
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node);
  }
  return found;
}

/** The nodes of a tree in the order of the text, however deep it is. */
function* everyNode(tree: Nodes): Generator<Nodes> {
  const waiting: Nodes[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    if ('children' in node) for (const child of node.children.toReversed()) waiting.push(child);
  }
}

function textIn(tree: Nodes): string {
  let text = '';
  for (const node of everyNode(tree)) {
    if ('value' in node) text += node.value;
    else if (node.type === 'image' || node.type === 'imageReference') text += node.alt ?? '';
    else if (node.type === 'paragraph' && text !== '') text += '\n';
  }
  return text;
}

function count(reading: Reading): void {
  reading.nodesLeft -= 1;
  if (reading.nodesLeft < 0) throw new TooIntricate();
}

function blocksOf(nodes: readonly RootContent[], reading: Reading, depth: number): Block[] {
  return nodes.flatMap((node) => blockOf(node, reading, depth) ?? []);
}

function blockOf(node: RootContent, reading: Reading, depth: number): Block | null {
  count(reading);
  if (node.type === 'definition') return null;
  if (node.type === 'thematicBreak') return { type: 'rule' };
  if (node.type === 'code') return { type: 'code', text: node.value };
  if (depth <= MAX_DEPTH) {
    if (node.type === 'paragraph') return { type: 'paragraph', children: inlinesOf(node.children, reading, depth) };
    if (node.type === 'heading') {
      return { type: 'heading', level: node.depth, children: inlinesOf(node.children, reading, depth) };
    }
    if (node.type === 'blockquote') return { type: 'quote', children: blocksOf(node.children, reading, depth + 1) };
    if (node.type === 'list') return listOf(node, reading, depth);
    if (node.type === 'table') return tableOf(node, reading, depth);
  }
  return { type: 'source', text: textIn(node) };
}

function listOf(node: List, reading: Reading, depth: number): Block {
  const items = node.children.map((item) => {
    count(reading);
    return { isDone: item.checked ?? null, children: blocksOf(item.children, reading, depth + 1) };
  });
  return { type: 'list', start: node.ordered === true ? (node.start ?? 1) : null, items };
}

function tableOf(node: Table, reading: Reading, depth: number): Block {
  const cellOf = (cell: TableCell): Inline[] => {
    count(reading);
    return inlinesOf(cell.children, reading, depth);
  };
  // Rows may have fewer cells than the head.
  const width = node.children[0]?.children.length ?? 0;
  const rows = node.children.map((row) => {
    const cells = row.children.slice(0, width).map(cellOf);
    return [...cells, ...Array.from({ length: width - cells.length }, (): Inline[] => [])];
  });
  return { type: 'table', align: node.align ?? [], rows };
}

function inlinesOf(nodes: readonly PhrasingContent[], reading: Reading, depth: number, isInLink = false): Inline[] {
  return nodes.flatMap((node) => inlineOf(node, reading, depth, isInLink));
}

function inlineOf(node: PhrasingContent, reading: Reading, depth: number, isInLink: boolean): Inline[] {
  count(reading);
  if (node.type === 'break') return [{ type: 'break' }];
  if (node.type === 'inlineCode') return [{ type: 'code', text: node.value }];
  if (node.type === 'image' || node.type === 'imageReference') return imageOf(node, reading, isInLink);
  if (depth <= MAX_DEPTH) {
    if (node.type === 'strong' || node.type === 'emphasis' || node.type === 'delete') {
      return [{ type: node.type, children: inlinesOf(node.children, reading, depth + 1, isInLink) }];
    }
    if (node.type === 'link' || node.type === 'linkReference') {
      return linkOf(urlOf(node, reading), inlinesOf(node.children, reading, depth + 1, true), isInLink);
    }
  }
  return [{ type: 'text', text: textIn(node) }];
}

function urlOf(node: Link | LinkReference | Image | ImageReference, { definitions }: Reading): string {
  return 'url' in node ? node.url : (definitions.get(node.identifier)?.url ?? '');
}

/** Its text alone where it may not lead. */
function linkOf(url: string, children: Inline[], isInLink: boolean): Inline[] {
  const target = isInLink ? null : linkTarget(url);
  return target === null ? children : [{ type: 'link', target, children }];
}

/** Images are never loaded. */
function imageOf(node: Image | ImageReference, reading: Reading, isInLink: boolean): Inline[] {
  const text = (node.alt ?? '').trim() === '' ? 'Image' : (node.alt ?? '');
  return linkOf(urlOf(node, reading), [{ type: 'text', text }], isInLink);
}

/** Headings below that of the page, none of which leaves out a level. */
function inOutline(blocks: readonly Block[]): Block[] {
  const levels = [...new Set(blocks.flatMap((block) => (block.type === 'heading' ? [block.level] : [])))].toSorted(
    (a, b) => a - b,
  );
  let last = 1;
  return blocks.map((block) => {
    if (block.type !== 'heading') return block;
    last = Math.min(levels.indexOf(block.level) + 2, last + 1, 6);
    return { ...block, level: last };
  });
}

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseSync, Visitor, type ESTree, type VisitorObject } from 'vite';

export const ROOT = join(import.meta.dirname, '../..');

/** One finding inside a file; `checkTree` puts the path in front. */
export interface Problem {
  line: number;
  message: string;
}

export interface Comment {
  kind: 'Line' | 'Block';
  text: string;
  startLine: number;
  endLine: number;
  /** Nothing but white space stands before it on its line. */
  ownLine: boolean;
}

export interface Import {
  specifier: string;
  line: number;
}

/** A file of the tree with what the rules ask about it. Code is parsed at the first question. */
export interface SourceFile {
  path: string;
  text: string;
  lines: readonly string[];
  isCode: boolean;
  lineAt(offset: number): number;
  comments(): readonly Comment[];
  imports(): readonly Import[];
  visit(visitor: VisitorObject): void;
}

/** Every file that git tracks or would track, in a stable order. */
export function listFiles(): string[] {
  const git = [
    '-c',
    'safe.directory=*',
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--deduplicate',
  ];
  const names = execFileSync('git', git, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\0');
  return names.filter((name) => name !== '' && existsSync(join(ROOT, name))).toSorted();
}

/** Undefined for binary files. */
export function readSource(path: string): SourceFile | undefined {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return text.includes('\0') ? undefined : sourceFile(path, text);
}

export function sourceFile(path: string, text: string): SourceFile {
  const lines = text.split('\n');
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  const lineAt = (offset: number) => starts.findLastIndex((start) => start <= offset) + 1;
  let result: ReturnType<typeof parseSync> | undefined;
  const parsed = () => {
    result ??= parseSync(path, text);
    const [error] = result.errors;
    if (error) throw new Error(`${path}: cannot be parsed: ${error.message}`);
    return result;
  };
  const visit = (visitor: VisitorObject) => new Visitor(visitor).visit(parsed().program);

  return {
    path,
    text,
    lines,
    isCode: /\.(ts|tsx|mts|js|mjs)$/.test(path),
    lineAt,
    visit,
    comments: () =>
      parsed().comments.map((comment) => {
        const startLine = lineAt(comment.start);
        return {
          kind: comment.type === 'Line' ? 'Line' : 'Block',
          text: comment.value,
          startLine,
          endLine: lineAt(comment.end),
          ownLine: text.slice(starts[startLine - 1], comment.start).trim() === '',
        };
      }),
    imports: () => {
      const found: Import[] = [];
      const add = (source: ESTree.Node | null) => {
        if (source?.type === 'Literal' && typeof source.value === 'string') {
          found.push({ specifier: source.value, line: lineAt(source.start) });
        }
      };
      visit({
        ImportDeclaration: (node) => add(node.source),
        ExportNamedDeclaration: (node) => add(node.source),
        ExportAllDeclaration: (node) => add(node.source),
        ImportExpression: (node) => add(node.source),
        TSImportType: (node) => add(node.source),
      });
      return found;
    },
  };
}

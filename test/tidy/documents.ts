import { posix } from 'node:path';

import type { Problem, SourceFile } from './tree.ts';

const DOCUMENTS = /^((README|ARCHITECTURE|STYLE|CHANGELOG)\.md$|docs\/.*\.md$)/;
const LINK = /\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^\s*\[[^\]]+\]:\s*(\S+)/g;
const CODE_SPAN = /`([^`]+)`/g;
const REPOSITORY_PATH = /^(?:\.\/)?((?:src|test|bench|tools|docs|simulators|web)\/[\w@./-]*)(?::\d+)?[,;:.)]?$/;

/** Links and paths in documents name files that exist; `<placeholders>`, globs and `NNNN` are left alone. */
export function checkDocument(file: SourceFile, paths: ReadonlySet<string>): Problem[] {
  if (!DOCUMENTS.test(file.path)) return [];
  const problems: Problem[] = [];
  let fenced = false;
  for (const [index, line] of file.lines.entries()) {
    const fence = /^\s*(```|~~~)/.test(line);
    if (fence) fenced = !fenced;
    const targets = fence ? [] : fenced ? pathsIn(line) : [...linksIn(line, file.path), ...codePathsIn(line)];
    for (const target of targets) {
      if (!exists(target, paths)) problems.push({ line: index + 1, message: `${target} does not exist` });
    }
  }
  return problems;
}

/** Every file and every directory above one. */
export function pathsWithDirectories(files: readonly string[]): Set<string> {
  const all = new Set<string>(['.']);
  for (const file of files) {
    for (let path = file; !all.has(path); path = posix.dirname(path)) all.add(path);
  }
  return all;
}

function linksIn(line: string, from: string): string[] {
  const text = line.replaceAll(CODE_SPAN, (span) => ' '.repeat(span.length));
  return [...text.matchAll(LINK)].flatMap((match) => {
    const target = (match[1] ?? match[2] ?? '').replace(/[#?].*$/, '');
    if (target === '' || /^[a-z][a-z+.-]*:|^\/\//i.test(target)) return [];
    return [target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(from), target)];
  });
}

function codePathsIn(line: string): string[] {
  return [...line.matchAll(CODE_SPAN)].flatMap((match) => pathsIn(match[1] ?? ''));
}

function pathsIn(text: string): string[] {
  return text.split(/[\s"'=()]+/).flatMap((word) => {
    const path = REPOSITORY_PATH.exec(word)?.[1];
    return path === undefined || /NNNN|\.\.\./.test(path) ? [] : [path.replace(/[.]$/, '')];
  });
}

function exists(target: string, paths: ReadonlySet<string>): boolean {
  return paths.has(posix.normalize(target).replace(/\/$/, ''));
}

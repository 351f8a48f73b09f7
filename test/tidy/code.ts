import type { ESTree, VisitorObject } from 'vite';

import type { Problem, SourceFile } from './tree.ts';

const COMMENT_LINES_MAX = 3;
const DOC_COMMENT_LINES_MAX = 6;
const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 60;
const SMALL_FILE_LINES = 15;
const CODE_ROOTS = /^(src|web|simulators|test|bench|tools)\//;
const TEST_FUNCTIONS = new Set(['describe', 'suite', 'it', 'test', 'ctx', 'context']);
const TEST_MODIFIERS = new Set(['only', 'skip', 'todo']);
/** Entry points, the face of a feature, and migrations. */
const SOUGHT_BY_NAME = /(^src\/(start|main|worker)\.[jt]s|\/index\.ts|^src\/db\/migrations\/[^/]+\.ts|-thread\.js)$/;
const UNNAMED = 'a function without a name';
const VAGUE_NAMES = /^(utils?|helpers?|types|manager|service)$/i;

export function checkDialect(file: SourceFile): Problem[] {
  if (!file.isCode || !CODE_ROOTS.test(file.path)) return [];
  if (/^(src\/db|src\/engines\/imports|test\/oracle|test\/tidy)\//.test(file.path)) return [];
  return matches(
    file,
    /\bdialect\b/gi,
    'the word dialect belongs to src/db; move what differs into src/db/portable.ts',
  );
}

export function checkEnvironment(file: SourceFile): Problem[] {
  const allowed = /^(src\/kernel\/config\.ts$|test\/|tools\/|bench\/)|\.test\.tsx?$/.test(file.path);
  if (!file.isCode || allowed || !CODE_ROOTS.test(file.path)) return [];
  const message = 'settings are read from the environment only in src/kernel/config.ts';
  return visitNodes(file, (report) => ({
    MemberExpression: (node) => {
      if (isName(node.object, 'process') && propertyOf(node) === 'env') report(node.start, message);
    },
    VariableDeclarator: (node) => {
      if (node.init && isName(node.init, 'process') && node.id.type === 'ObjectPattern') report(node.start, message);
    },
    ImportDeclaration: (node) => {
      const named = node.specifiers.some(
        (item) =>
          item.type === 'ImportSpecifier' && item.imported.type === 'Identifier' && item.imported.name === 'env',
      );
      if (named && /^(node:)?process$/.test(node.source.value)) report(node.start, message);
    },
  }));
}

/** A page fills piece by piece, so that what is read of it once is judged too early on a slow machine. */
export function checkPagesAreAwaited(file: SourceFile): Problem[] {
  if (!file.path.startsWith('test/browser/')) return [];
  return matches(
    file,
    /\bexpect\(await (?!Promise\.)[^;\n]*\.(innerText|textContent|allInnerTexts|inputValue|getAttribute)\([^()\n]*\)\)\.(?!not)/g,
    'what a page shows is awaited: await expect.poll(() => …)',
  );
}

export function checkClock(file: SourceFile): Problem[] {
  if (!file.isCode || !CODE_ROOTS.test(file.path)) return [];
  if (file.path.startsWith('src/kernel/') || file.path === 'web/lib/clock.ts') return [];
  const mayMeasure = /^(src\/(surfaces|jobs)|test|bench|tools|web)\//.test(file.path) || file.path.endsWith('.test.ts');
  return visitNodes(file, (report) => ({
    MemberExpression: (node) => {
      const property = propertyOf(node);
      if (isName(node.object, 'Date') && property === 'now') report(node.start, 'ask the Clock instead of Date.now');
      if (isName(node.object, 'Math') && property === 'random') report(node.start, 'ask Random instead of Math.random');
      if (isName(node.object, 'performance') && property === 'now' && !mayMeasure) {
        report(node.start, 'durations are measured at the edge (surfaces, jobs), not here');
      }
    },
    NewExpression: (node) => {
      if (isName(node.callee, 'Date') && node.arguments.length === 0) {
        report(node.start, 'ask the Clock instead of new Date()');
      }
    },
    CallExpression: (node) => {
      if (isName(node.callee, 'Date')) report(node.start, 'ask the Clock instead of Date()');
    },
  }));
}

/** A page in which a date has another language than the words beside it reads worse than one in either. */
export function checkLanguage(file: SourceFile): Problem[] {
  if (!file.isCode || !file.path.startsWith('web/')) return [];
  return matches(
    file,
    /new Intl\.\w+\((?:undefined\b|\))|\.toLocale\w*String\(/g,
    'say in which language: LANGUAGE of web/lib/language.ts',
  );
}

export function checkFileName(file: SourceFile): Problem[] {
  if (!file.isCode) return [];
  const vague = file.path.split(/[/.]/).find((part) => VAGUE_NAMES.test(part));
  return vague === undefined ? [] : [{ line: 1, message: `“${vague}” says nothing: name the file for what it does` }];
}

/** A list of words is data: nobody reads it from top to bottom. */
export function checkFileLength(file: SourceFile): Problem[] {
  const count = lineCount(file);
  if (!/^(src|web)\//.test(file.path) || file.path.endsWith('.txt') || count <= FILE_LINES_MAX) return [];
  return [{ line: FILE_LINES_MAX + 1, message: `${count} lines; at most ${FILE_LINES_MAX}` }];
}

/** Nested functions count too. Tests are exempt: the body of a `describe` is a list, not a function to read. */
export function checkFunctionLength(file: SourceFile): Problem[] {
  if (!file.isCode || !CODE_ROOTS.test(file.path) || file.path.endsWith('.test.ts')) return [];
  return visitNodes(file, (report) => {
    const measure = (node: ESTree.Function | ESTree.ArrowFunctionExpression, name: string): void => {
      const count = file.lineAt(node.end) - file.lineAt(node.start) + 1;
      if (count <= FUNCTION_LINES_MAX) return;
      report(node.start, `${name} has ${count} lines; at most ${FUNCTION_LINES_MAX}`);
    };
    return {
      FunctionDeclaration: (node) => measure(node, node.id?.name ?? UNNAMED),
      FunctionExpression: (node) => measure(node, nameBefore(file, node)),
      ArrowFunctionExpression: (node) => measure(node, nameBefore(file, node)),
    };
  });
}

/** A tiny file belongs into the file that uses it, unless something looks for it by its name. */
export function checkSmallFile(file: SourceFile): Problem[] {
  if (!file.isCode || !file.path.startsWith('src/') || file.path.endsWith('.test.ts')) return [];
  const count = lineCount(file);
  if (count > SMALL_FILE_LINES || SOUGHT_BY_NAME.test(file.path)) return [];
  return [{ line: 1, message: `${count} lines are too few for a file of their own: join it with what uses it` }];
}

/** Resources write through their entity, and bulk writers through `journalOf`, so that no change is put together by hand. */
export function checkJournal(file: SourceFile): Problem[] {
  if (!file.isCode || !file.path.startsWith('src/') || file.path.startsWith('src/journal/')) return [];
  return matches(file, /\bjournal\.record\(/g, 'write through defineEntity, or record through journalOf');
}

export function checkCommentLength(file: SourceFile): Problem[] {
  if (!file.isCode || !/^(src|web)\//.test(file.path)) return [];
  const problems: Problem[] = [];
  let runStart = 0;
  let runEnd = -1;
  for (const comment of file.comments()) {
    if (comment.kind === 'Line') {
      if (!comment.ownLine) continue;
      if (comment.startLine !== runEnd + 1) runStart = comment.startLine;
      runEnd = comment.startLine;
      if (runEnd - runStart === COMMENT_LINES_MAX) {
        problems.push({ line: runStart, message: `a comment has at most ${COMMENT_LINES_MAX} lines` });
      }
      continue;
    }
    const isDoc = comment.text.startsWith('*');
    const max = isDoc ? DOC_COMMENT_LINES_MAX : COMMENT_LINES_MAX;
    const count = comment.text.split('\n').filter((line) => /[^\s*]/.test(line)).length;
    if (count > max) {
      problems.push({ line: comment.startLine, message: `a ${isDoc ? 'doc ' : ''}comment has at most ${max} lines` });
    }
  }
  return problems;
}

export function checkTestModifiers(file: SourceFile): Problem[] {
  if (!file.isCode || !/\.test\.tsx?$|^test\//.test(file.path)) return [];
  return visitNodes(file, (report) => ({
    MemberExpression: (node) => {
      const property = propertyOf(node);
      if (property === undefined || !TEST_MODIFIERS.has(property)) return;
      const root = rootName(node);
      if (root !== undefined && TEST_FUNCTIONS.has(root))
        report(node.property.start, `no .${property}: every test runs`);
    },
  }));
}

export function checkLeftovers(file: SourceFile): Problem[] {
  const message = 'do it, or open an issue: the tree holds no reminders';
  const marker = /\b(TODO|FIXME)\b/;
  if (file.path.endsWith('.md')) {
    return file.lines.flatMap((line, index) =>
      marker.test(line.replaceAll(/`[^`]*`/g, '')) ? [{ line: index + 1, message }] : [],
    );
  }
  if (!file.isCode) return matches(file, /\b(TODO|FIXME)\b/g, message);
  return file
    .comments()
    .flatMap((comment) =>
      comment.text
        .split('\n')
        .flatMap((text, index) => (marker.test(text) ? [{ line: comment.startLine + index, message }] : [])),
    );
}

export function checkMachineTraces(file: SourceFile): Problem[] {
  if (file.path === 'package-lock.json') return [];
  return [
    ...matches(file, /(?<![\w.}])\/(work|root|home)\//g, 'a path of one machine does not belong in the tree'),
    ...matches(
      file,
      /\bregistry\.[\w-]+\.\w+|\bnpmjs\.(org|com)\b|^(?:@[\w-]+:)?registry\s*=|\b(ghcr|docker|quay)\.io\b|\bpypi\.org\b/gim,
      'a registry host does not belong in the tree',
    ),
  ];
}

function lineCount({ text, lines }: SourceFile): number {
  return text.endsWith('\n') ? lines.length - 1 : lines.length;
}

/** What a function is assigned to: a constant, a property or a method. */
function nameBefore(file: SourceFile, { start }: { start: number }): string {
  const before = file.text.slice(file.text.lastIndexOf('\n', start) + 1, start);
  return /([\w#]+)\??\s*(?::[^=]*)?[=:]?\s*(?:async\s*)?\*?$/.exec(before)?.[1] ?? UNNAMED;
}

function matches(file: SourceFile, pattern: RegExp, message: string): Problem[] {
  return [...file.text.matchAll(pattern)].map((match) => ({ line: file.lineAt(match.index), message }));
}

function visitNodes(
  file: SourceFile,
  visitor: (report: (at: number, message: string) => void) => VisitorObject,
): Problem[] {
  const problems: Problem[] = [];
  file.visit(visitor((at, message) => problems.push({ line: file.lineAt(at), message })));
  return problems;
}

function isName(node: ESTree.Expression, name: string): boolean {
  if (node.type === 'Identifier') return node.name === name;
  return node.type === 'MemberExpression' && isName(node.object, 'globalThis') && propertyOf(node) === name;
}

function propertyOf(node: ESTree.MemberExpression): string | undefined {
  if (node.property.type === 'Identifier' && !node.computed) return node.property.name;
  return node.property.type === 'Literal' && typeof node.property.value === 'string' ? node.property.value : undefined;
}

/** `it` of `it.concurrent.skip` and of `it.each(rows).only`. */
function rootName(node: ESTree.Expression): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return rootName(node.object);
  return node.type === 'CallExpression' ? rootName(node.callee) : undefined;
}

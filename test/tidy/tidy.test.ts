import { describe, expect, test } from 'vitest';

import {
  checkClock,
  checkPagesAreAwaited,
  checkCommentLength,
  checkDialect,
  checkEnvironment,
  checkFileLength,
  checkFileName,
  checkFunctionLength,
  checkJournal,
  checkLanguage,
  checkLeftovers,
  checkMachineTraces,
  checkSmallFile,
  checkTestModifiers,
} from './code.ts';
import { checkDocument, pathsWithDirectories } from './documents.ts';
import { checkImports } from './imports.ts';
import { circlesOf, linksOf } from './circles.ts';
import { loadOperations, missingHandlers } from './operations.ts';
import { CIRCLE, DOCUMENT_SAMPLES, DOCUMENT_TREE, OPERATION_TREE, SAMPLES } from './samples.ts';
import { importsUpstairs } from './rooms.ts';
import { listFiles, readSource, sourceFile, type Problem, type SourceFile } from './tree.ts';

type Check = (file: SourceFile, paths: ReadonlySet<string>) => Problem[];

const RULES: Readonly<Record<string, Check>> = {
  imports: checkImports,
  dialect: checkDialect,
  environment: checkEnvironment,
  clock: checkClock,
  pages: checkPagesAreAwaited,
  language: checkLanguage,
  'file name': checkFileName,
  'file length': checkFileLength,
  'function length': checkFunctionLength,
  'small files': checkSmallFile,
  'comment length': checkCommentLength,
  journal: checkJournal,
  'test modifiers': checkTestModifiers,
  leftovers: checkLeftovers,
  'machine traces': checkMachineTraces,
  documents: checkDocument,
};

const SAMPLE_FILE = 'test/tidy/samples.ts';
const rules = Object.entries(RULES).map(([name, check]) => ({ name, check }));

describe('the tree', () => {
  const paths = pathsWithDirectories(listFiles());
  const files = listFiles().flatMap((path) => (path === SAMPLE_FILE ? [] : (readSource(path) ?? [])));

  test.each(rules)('keeps the rule: $name', ({ check }) => {
    const problems = files.flatMap((file) =>
      check(file, paths).map(({ line, message }) => `${file.path}:${line}: ${message}`),
    );
    expect(problems.join('\n')).toBe('');
  });

  test('has no circle of imports in src and web', () => {
    const circles = circlesOf(linksOf(files.filter(({ path }) => /^(src|web)\//.test(path))));
    expect(circles.map((circle) => circle.join(' → ')).join('\n')).toBe('');
  });

  test('has rooms in the importer that only lead down', () => {
    const links = linksOf(files.filter(({ path }) => path.startsWith('src/engines/imports/')));
    expect(links.size).toBeGreaterThan(50);
    expect(importsUpstairs(links).join('\n')).toBe('');
    const upstairs = new Map([['src/engines/imports/cells/numbers.ts', ['src/engines/imports/questions/sign.ts']]]);
    expect(importsUpstairs(upstairs)).toHaveLength(1);
  });

  test('has a handler for every operation', async () => {
    expect(
      missingHandlers(await loadOperations(), new Map(files.map(({ path, text }) => [path, text]))).join('\n'),
    ).toBe('');
  });
});

describe('the rules', () => {
  const samples = Object.entries({ ...SAMPLES, documents: DOCUMENT_SAMPLES }).flatMap(([rule, list]) =>
    list.map((sample) => ({
      ...sample,
      rule,
      title: `${rule}: ${sample.path}: ${JSON.stringify(sample.text.slice(0, 60))}`,
    })),
  );
  const tree = pathsWithDirectories(DOCUMENT_TREE);

  test.each(samples)('judge $title', ({ rule, path, text, lines }) => {
    const problems = RULES[rule]?.(sourceFile(path, text), tree) ?? [];
    expect(problems.map(({ line }) => line)).toEqual(lines);
  });

  test('are each shown to fail and to pass', () => {
    for (const { name } of rules) {
      const own = samples.filter(({ rule }) => rule === name);
      expect(
        own.some(({ lines }) => lines.length > 0),
        `${name} needs a bad sample`,
      ).toBe(true);
      expect(
        own.some(({ lines }) => lines.length === 0),
        `${name} needs a good sample`,
      ).toBe(true);
    }
  });

  test('name the files of a circle; an import of types alone closes none', () => {
    const circles = (files: Readonly<Record<string, string>>) =>
      circlesOf(linksOf(Object.entries(files).map(([path, text]) => sourceFile(path, text))));
    expect(circles(CIRCLE)).toEqual([['src/a.ts', 'src/b.ts', 'src/deep/c.ts']]);
    expect(circles({ ...CIRCLE, 'src/deep/c.ts': `import type { a } from '../a.ts';` })).toEqual([]);
    expect(circles({ ...CIRCLE, 'src/deep/c.ts': `import { type a } from '../a.ts';` })).toEqual([]);
    expect(circles({ ...CIRCLE, 'src/deep/c.ts': `const a = await import('../a.ts');` })).toEqual([]);
    expect(circles({ 'src/a.ts': `import './a.ts';` })).toEqual([['src/a.ts']]);
  });

  test('name the missing handler of an operation', () => {
    const missing = (name: string, group: string) => missingHandlers([{ name, group }], OPERATION_TREE);
    expect(missing('createApiKey', 'api-keys')).toEqual([]);
    expect(missing('listTags', 'tags')).toEqual([]);
    expect(missing('getTag', 'tags')).toEqual([
      'src/features/tags/tags.handlers.ts:1: does not export the handler getTag',
    ]);
    expect(missing('getOpenAPIDocument', 'system')).toEqual([
      'src/features/system/system.handlers.ts:1: missing, the handler of operation getOpenAPIDocument',
    ]);
  });
});

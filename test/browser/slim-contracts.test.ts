import { mkdtempSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { measureFirstLoad } from '../../tools/web/first-load.ts';
import { namedParts, slimContract } from '../../tools/web/slim-contracts.ts';

const CONTRACT = `
import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { describedAs } from './described-as.ts';
const shared = { group: 'tags', path: '/tags', errors: ['CONFLICT'] } as const;
const Tag = describedAs(z.object({ name: z.string().meta({ description: 'What it is called' }) }), z.string());
export const listTags = defineOperation({
  name: 'listTags', method: 'GET', path: '/tags', beside: ['count'],
  summary: 'List the tags', response: z.array(Tag), example: { response: [{ name: 'travel' }] },
});
export const createTag = defineOperation({
  ...shared,
  name: 'createTag', method: 'POST', summary: 'Create a tag', body: Tag, response: Tag,
});
`;

function slim(...pages: string[]) {
  return slimContract('tags.contract.ts', CONTRACT, namedParts(pages));
}

test('what calls an operation stays, in a module of its own that needs no schemas', () => {
  const { calls } = slim('useApiQuery(listTags, {})');
  // It imports nothing.
  expect(calls).toMatch(/^export const listTags = [^a-z]*\(\{\n  name/);
  expect(calls).toContain("name: 'listTags', method: 'GET', path: '/tags', beside: ['count']");
  expect(calls).not.toMatch(/List the tags|travel|response|zod|Tag\)/);
  expect(calls).not.toContain('createTag');
});

test('a schema stays where a form or a page names it, without what only the reference shows', () => {
  for (const page of [
    'useOperationForm(createTag, {',
    'useOperationForm(\n  createTag,',
    'createTag.body.extend({})',
  ]) {
    expect(slim(page).rest, page).toContain('body: Tag');
  }
  const { rest } = slim('useApiWrite(createTag)');
  expect(rest).not.toContain('body: Tag');
  // The path is in the object that operations share.
  expect(rest).toContain('...shared');
  expect(rest).toContain("path: '/tags'");
  expect(rest).not.toMatch(/CONFLICT|What it is called|describedAs\(|Create a tag/);
});

test('more than 200 KiB of script, or 250 KiB with the heaviest page, is a problem', () => {
  const folder = mkdtempSync(join(tmpdir(), 'first-load-'));
  mkdirSync(join(folder, 'assets'));
  const manifest = {
    'index.html': { file: 'assets/index.js', isEntry: true, dynamicImports: ['pages/home.tsx'] },
    'pages/home.tsx': { file: 'assets/home.js', imports: ['index.html'] },
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const problemOf = (entryKib: number, pageKib: number): string | undefined => {
    writeFileSync(join(folder, 'assets/index.js.gz'), Buffer.alloc(entryKib * 1024));
    writeFileSync(join(folder, 'assets/home.js.gz'), Buffer.alloc(pageKib * 1024));
    return measureFirstLoad(folder).problem;
  };
  expect(problemOf(200, 50)).toBeUndefined();
  expect(problemOf(201, 1)).toBe('The first load is 201.0 KiB; at most 200.0 KiB are allowed.');
  expect(problemOf(190, 61)).toBe('The first load with pages/home.tsx is 251.0 KiB; at most 250.0 KiB are allowed.');
});

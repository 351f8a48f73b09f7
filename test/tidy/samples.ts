/** Small files that break one rule each, so that every rule is seen to fail; the one file the rules pass over. */
export interface Sample {
  path: string;
  text: string;
  /** The lines a rule must point at; none where the sample is good. */
  lines: readonly number[];
}

const bad = (path: string, text: string, ...lines: number[]): Sample => ({ path, text, lines });
const good = (path: string, text: string): Sample => ({ path, text, lines: [] });

export const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  imports: [
    bad('src/features/tags/tags.contract.ts', `import { z } from 'zod';\nimport pg from 'pg';`, 2),
    bad('src/features/tags/tags.contract.ts', `import { row } from './tags.table.ts';`, 1),
    bad('src/contract/client.ts', `import type { Clock } from '../kernel/clock.ts';`, 1),
    bad('src/contract/common.ts', `import { readFileSync } from 'node:fs';`, 1),
    good(
      'src/contract/registry.ts',
      `import { tags } from '../features/tags/tags.contract.ts';\nimport { z } from 'zod/v4';`,
    ),
    good('src/contract/common.ts', `import { LIMITS } from '../kernel/limits.ts';\nimport '../kernel/errors.ts';`),
    bad('src/engines/rules/match.ts', `export { read } from '../../db/unit-of-work.ts';`, 1),
    bad('src/engines/rules/match.ts', `import { readFile } from 'node:fs/promises';`, 1),
    good(
      'src/engines/rules/match.ts',
      `import { RE2JS } from 're2js';\nimport '../../kernel/money.ts';\nimport '../fold.ts';`,
    ),
    bad('src/features/tags/list-tags.ts', `import { row } from '../accounts/accounts.table.ts';`, 1),
    bad('src/features/tags/list-tags.ts', `import { lease } from '../../jobs/leases.ts';`, 1),
    bad('src/features/tags/list-tags.ts', `\nconst m = await import('../../providers/plaid/map.ts');`, 2),
    bad('src/features/tags/list-tags.ts', `type App = import('../../app.ts').App;`, 1),
    good(
      'src/features/tags/list-tags.ts',
      `import '../accounts/index.ts';\nimport '../accounts/accounts.contract.ts';`,
    ),
    good(
      'src/features/tags/list-tags.ts',
      `import './tags.queries.ts';\nimport '../handler.ts';\nimport '../../db/schema.ts';`,
    ),
    good('src/features/tags/tags.test.ts', `import { createApp } from '../../app.ts';`),
    bad('src/surfaces/cli/main.ts', `import '../../features/tags/index.ts';`, 1),
    bad('src/surfaces/cli/main.ts', `import '../../app.ts';`, 1),
    good(
      'src/surfaces/cli/main.ts',
      `import '../../features/tags/tags.contract.ts';\nimport '../../contract/client.ts';`,
    ),
    good('src/surfaces/cli/server/serve.ts', `import '../../../app.ts';`),
    good('src/surfaces/cli/server/serve.ts', `import '../../../features/tags/index.ts';`),
    bad('src/surfaces/cli/server/serve.ts', `import '../../../features/tags/tags.queries.ts';`, 1),
    bad('web/pages/tags.tsx', `import '../../src/features/tags/index.ts';\nexport const page = <p />;`, 1),
    good('web/pages/tags.tsx', `import '../../src/contract/client.ts';\nimport { useState } from 'react';`),
    bad('web/pages/tags.tsx', `import { map } from 'lodash';\nimport 'node:fs';`, 1, 2),
    bad('web/pages/tags.tsx', `import '../../src/kernel/crypto.ts';`, 1),
    bad('src/jobs/scheduler.ts', `import '../surfaces/http/server.ts';`, 1),
    good('src/app.ts', `import './surfaces/http/server.ts';`),
    good('test/contract/errors.test.ts', `import '../../src/surfaces/http/server.ts';`),
    bad('src/kernel/money.ts', `import '../db/schema.ts';`, 1),
    bad('src/kernel/money.ts', `import 'node:fs';`, 1),
    good('src/kernel/config.ts', `import 'node:fs';\nimport './limits.ts';`),
    good('src/kernel/private-folder.ts', `import 'node:fs';`),
    bad('src/app.ts', `import '../test/harness/databases.ts';`, 1),
  ],
  dialect: [
    bad('src/journal/write.ts', `// Depends on the dialect.\nconst Dialect = 1;`, 1, 2),
    good('src/db/sqlite.ts', `// The dialect.`),
    good('src/engines/imports/csv.ts', `const dialect = ';';`),
    good('src/journal/write.ts', `import { SqliteDialect } from 'kysely';`),
  ],
  language: [
    bad(
      'web/lib/days.ts',
      `const a = new Intl.NumberFormat();\nconst b = new Intl.DateTimeFormat(undefined, {});`,
      1,
      2,
    ),
    bad('web/lib/days.ts', `const a = count.toLocaleString();`, 1),
    good('web/lib/days.ts', `const a = new Intl.NumberFormat(LANGUAGE, { style: 'percent' });`),
    good('src/journal/write.ts', `const a = new Intl.NumberFormat();`),
  ],
  environment: [
    bad('src/app.ts', `\nconst port = process.env.PORT;`, 2),
    bad('src/app.ts', `const port = globalThis.process['env'];`, 1),
    bad('src/app.ts', `const { env } = process;`, 1),
    bad('simulators/household.ts', `import { env } from 'node:process';`, 1),
    good('src/kernel/config.ts', `const port = process.env.PORT;`),
    good('tools/dev.ts', `const port = process.env.PORT;`),
    good('src/app.ts', `const text = 'process.env';\nprocess.exitCode = 1;`),
  ],
  pages: [
    bad('test/browser/rules.test.ts', `expect(await page.getByLabel('Name').inputValue()).toBe('REWE');`, 1),
    bad('test/browser/rules.test.ts', `expect(await row(page, 0).innerText()).toContain('REWE');`, 1),
    good('test/browser/rules.test.ts', `await expect.poll(() => row(page, 0).innerText()).toContain('REWE');`),
    good('test/browser/rules.test.ts', `expect(await row(page, 0).innerText()).not.toContain('REWE');`),
    good('web/pages/rules/rules-page.test.ts', `expect(await input.inputValue()).toBe('REWE');`),
  ],
  clock: [
    bad(
      'src/app.ts',
      `const a = Date.now();\nconst b = new Date();\nconst c = Math.random();\nconst d = Date();`,
      1,
      2,
      3,
      4,
    ),
    bad('simulators/household.ts', `rows.map(Math.random);\nperformance.now();`, 1, 2),
    bad('test/model/run.test.ts', `const seed = Math.random();\nperformance.now();`, 1),
    good('src/kernel/clock.ts', `const now = Date.now();`),
    good('src/app.ts', `const day = new Date(ms);\nDate.parse(text);\nDate.UTC(2026, 0);`),
    bad('src/engines/rules/match.ts', `const start = performance.now();`, 1),
    good('src/surfaces/http/server.ts', `const start = performance.now();`),
    good('bench/run.ts', `const start = performance.now();`),
  ],
  'file name': [
    bad('src/kernel/utils.ts', '', 1),
    bad('src/features/tags/tags.service.ts', '', 1),
    bad('web/components/helpers.tsx', '', 1),
    bad('test/types/page.ts', '', 1),
    good('src/features/users/user-types-list.ts', ''),
  ],
  'file length': [
    bad('src/app.ts', 'const x = 1;\n'.repeat(401), 401),
    good('src/app.ts', 'const x = 1;\n'.repeat(400)),
    good('src/features/x/words.txt', 'word\n'.repeat(401)),
    bad('web/pages/tags.tsx', 'const x = 1;\n'.repeat(401), 401),
    good('docs/reference/endpoints.md', 'line\n'.repeat(500)),
  ],
  'function length': [
    bad('src/app.ts', `const x = 1;\nexport async function start() {\n${'x;\n'.repeat(59)}}`, 2),
    bad('test/harness/ledger.ts', `const fill = () => {\n${'x;\n'.repeat(59)}};`, 1),
    bad('src/db/sqlite.ts', `class Db {\n  async write() {\n${'x;\n'.repeat(59)}}\n}`, 2),
    bad('bench/run.ts', `function run() {\n  return () => {\n${'x;\n'.repeat(59)}};\n}`, 1, 2),
    good('src/app.ts', `export function start() {\n${'x;\n'.repeat(58)}}`),
    good('src/db/sqlite.ts', `class Db {\n${'x() {}\n'.repeat(70)}}`),
    good('src/app.test.ts', `describe('it', () => {\n${'x;\n'.repeat(90)}});`),
  ],
  journal: [
    bad('src/features/tags/tags.handlers.ts', `tx.journal.record({ entityType: 'tag' });`, 1),
    good('src/features/tags/tags.handlers.ts', `tx.journal.summarise('Created a tag');`),
    good('src/journal/journal-of.ts', `tx.journal.record({ entityType });`),
  ],
  'small files': [
    bad('src/features/tags/tag-answer.ts', 'const x = 1;\n'.repeat(15), 1),
    good('src/features/tags/tag-answer.ts', 'const x = 1;\n'.repeat(16)),
    good('src/features/tags/index.ts', `export { tags } from './tags.ts';\n`),
    good('src/db/migrations/0009-tags.ts', 'export const tags = {};\n'),
    good('src/main.ts', 'run();\n'),
    good('src/features/tags/tags.test.ts', 'test();\n'),
    good('test/harness/one.ts', 'const x = 1;\n'),
  ],
  'comment length': [
    bad('src/app.ts', `x;\n// one\n// two\n// three\n// four\n// five\ny;`, 2),
    bad('src/app.ts', `/*\n one\n two\n three\n four\n*/`, 1),
    bad('src/app.ts', `/**\n${' * line\n'.repeat(7)} */`, 1),
    good('src/app.ts', `/**\n${' * line\n'.repeat(6)} */\n// one\n// two\n// three\n\n// next\nconst url = '// four';`),
    good('src/app.ts', `a; // one\nb; // two\nc; // three\nd; // four`),
  ],
  'test modifiers': [
    bad(
      'src/kernel/money.test.ts',
      `it.only('adds', () => {});\ntest.skip('x');\ndescribe.concurrent.todo('y');`,
      1,
      2,
      3,
    ),
    bad('test/model/run.test.ts', `it.each([1])\n  .only('x', () => {});`, 2),
    good('src/kernel/money.test.ts', `page.skip(1);\nit.each([1])('x', () => {});\nit.concurrent('y');`),
  ],
  leftovers: [
    bad('src/app.ts', `x;\n/* later:\n FIXME */`, 3),
    bad('Dockerfile', `# TODO: smaller`, 1),
    bad('docs/guides/start.md', `TODO: write`, 1),
    good('STYLE.md', 'No `TODO` stays.'),
    good('src/app.ts', `const state = 'TODO';`),
  ],
  'machine traces': [
    bad('README.md', 'See /home/ann/ledger.', 1),
    bad('tools/dev.ts', `open('/work/main');\nopen('/root/.npmrc');`, 1, 2),
    bad('.npmrc', 'loglevel=error\nregistry=https://mirror.example/npm/', 2),
    bad('Dockerfile', 'RUN curl https://registry.npmjs.org/node', 1),
    good('web/routes.tsx', `const route = '/app/home/index';`),
    good('package-lock.json', 'https://registry.npmjs.org/node'),
  ],
};

/** Documents are checked against this small tree. */
export const DOCUMENT_TREE = ['README.md', 'docs/guides/start.md', 'docs/faq.md', 'src/app.ts', 'bench/run.ts'];
export const DOCUMENT_SAMPLES: readonly Sample[] = [
  bad('README.md', 'Read\n[the start](docs/guides/begin.md#top).', 2),
  bad('docs/guides/start.md', '[faq](faq.md)', 1),
  bad('README.md', 'Look into `src/apps.ts:12`.', 1),
  bad('README.md', '```sh\nnode bench/gone.ts --rows 10\n```', 2),
  bad('docs/faq.md', '[start]: guides/none.md', 1),
  good('README.md', '[start](docs/guides/start.md), [site](https://example.org/x), [top](#top), `src/app.ts`, `docs/`'),
  good('README.md', '`src/features/<resource>/`, `docs/**`, `src/*/x.ts`, `docs/decisions/NNNN-x.md`, `npm test`'),
  good('docs/guides/start.md', '[faq](../faq.md) and `node bench/run.ts`'),
  good('bench/RESULTS.md', '`src/old.ts`'),
];

/** Three files that import each other; the fourth stands outside. */
export const CIRCLE = {
  'src/a.ts': `import { b } from './b.ts';`,
  'src/b.ts': `export * from './deep/c.ts';`,
  'src/deep/c.ts': `import { a, type A } from '../a.ts';\nimport { d } from '../d.ts';`,
  'src/d.ts': `export const d = 1;`,
};

export const OPERATION_TREE = new Map([
  ['src/features/api-keys/create-api-key.ts', 'export const createApiKey = handleWrite();'],
  ['src/features/tags/tags.handlers.ts', 'export const listTags = handleRead();'],
]);

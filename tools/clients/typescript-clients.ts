import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { callWith, DOCUMENT, PROGRAMS, ROOT, run, type Client } from './client.ts';
import packages from './npm/package.json' with { type: 'json' };

const PACKAGES = join(import.meta.dirname, 'npm/node_modules');
const versions = packages.devDependencies;
const COMPILER = {
  target: 'esnext',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
};

/** Node runs TypeScript as it stands, so that compiling is a check of all types by our own compiler. */
const typescript = (program: string) => ({
  compile: async (directory: string): Promise<void> => {
    await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.', '--pretty', 'false'], directory);
  },
  call: (directory: string, server: Parameters<Client['call']>[1]) =>
    callWith(process.execPath, [join(directory, program)], directory, server),
});

export const openapiFetch: Client = {
  name: 'openapi-typescript + openapi-fetch',
  version: `${versions['openapi-typescript']}, ${versions['openapi-fetch']}`,
  generate: async (directory) => {
    prepare(directory, 'openapi-fetch.ts');
    const program = join(PACKAGES, 'openapi-typescript/bin/cli.js');
    await run(process.execPath, [program, DOCUMENT, '-o', join(directory, 'schema.d.ts')], directory);
  },
  ...typescript('openapi-fetch.ts'),
};

export const heyApi: Client = {
  name: '@hey-api/openapi-ts',
  version: versions['@hey-api/openapi-ts'],
  generate: async (directory) => {
    prepare(directory, 'hey-api.ts');
    const program = join(PACKAGES, '@hey-api/openapi-ts/bin/run.js');
    const settings = {
      input: DOCUMENT,
      output: { path: 'generated', module: { extension: '.ts' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    };
    writeFileSync(join(directory, 'openapi-ts.config.mjs'), `export default ${JSON.stringify(settings)};\n`);
    await run(process.execPath, [program], directory);
  },
  ...typescript('hey-api.ts'),
};

function prepare(directory: string, program: string): void {
  mkdirSync(directory, { recursive: true });
  cpSync(join(PROGRAMS, program), join(directory, program));
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER, include: [program] }));
}

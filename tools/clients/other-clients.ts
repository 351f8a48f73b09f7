import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { callWith, DOCUMENT, PROGRAMS, run, type Client } from './client.ts';

/** Generators of other languages; each installs itself into the directory, with the language's own client. */

const PYTHON = '0.29.1';
const GO = '2.8.2';
const JAVA = '7.25.0';

export const pythonClient: Client = {
  name: 'openapi-python-client',
  version: PYTHON,
  generate: async (directory) => {
    await run('python3', ['-m', 'venv', 'venv'], directory);
    const wanted = [`openapi-python-client==${PYTHON}`, 'mypy'];
    await run('venv/bin/pip', ['install', '--quiet', '--disable-pip-version-check', ...wanted], directory);
    const args = ['generate', '--path', DOCUMENT, '--output-path', 'made', '--overwrite'];
    const path = `${join(directory, 'venv/bin')}:${process.env['PATH'] ?? ''}`;
    await run('venv/bin/openapi-python-client', args, directory, { PATH: path });
    copyFileSync(join(PROGRAMS, 'main.py'), join(directory, 'made/main.py'));
  },
  compile: async (directory) => {
    await run(
      join(directory, 'venv/bin/python'),
      ['-m', 'compileall', '-q', 'homeledger_client'],
      join(directory, 'made'),
    );
    await run(join(directory, 'venv/bin/mypy'), ['homeledger_client'], join(directory, 'made'));
  },
  call: (directory, server) =>
    callWith(join(directory, 'venv/bin/python'), ['main.py'], join(directory, 'made'), server),
};

export const goClient: Client = {
  name: 'oapi-codegen',
  version: GO,
  generate: async (directory) => {
    const tool = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${GO}`;
    await run('go', ['install', tool], directory, { GOBIN: directory });
    mkdirSync(join(directory, 'api'));
    const args = ['-generate', 'types,client', '-package', 'api', '-o', 'api/client.gen.go', DOCUMENT];
    await run(join(directory, 'oapi-codegen'), args, directory);
    writeFileSync(join(directory, 'go.mod'), 'module example\n\ngo 1.24\n');
    copyFileSync(join(PROGRAMS, 'main.go.txt'), join(directory, 'main.go'));
  },
  compile: async (directory) => {
    await run('go', ['mod', 'tidy'], directory, { GOFLAGS: '-mod=mod' });
    await run('go', ['build', '-o', 'main', '.'], directory);
    await run('go', ['vet', './...'], directory);
  },
  call: (directory, server) => callWith(join(directory, 'main'), [], directory, server),
};

export const javaClient: Client = {
  name: 'openapi-generator (Java, native)',
  version: JAVA,
  generate: async (directory) => {
    const artifact = `org.openapitools:openapi-generator-cli:${JAVA}`;
    await run(
      'mvn',
      ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${directory}`],
      directory,
    );
    const jar = join(directory, `openapi-generator-cli-${JAVA}.jar`);
    const args = ['generate', '-g', 'java', '--library', 'native', '-i', DOCUMENT, '-o', 'made'];
    await run(
      'java',
      ['-jar', jar, ...args, '--additional-properties=hideGenerationTimestamp=true,useSingleRequestParameter=true'],
      directory,
    );
    const program = join(directory, 'made/src/main/java/example');
    mkdirSync(program, { recursive: true });
    copyFileSync(join(PROGRAMS, 'Main.java'), join(program, 'Main.java'));
  },
  compile: async (directory) => {
    const goals = ['compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'];
    await run('mvn', ['-q', '-B', ...goals], join(directory, 'made'));
  },
  call: (directory, server) => {
    const command = 'java -cp "target/classes:$(cat classpath.txt)" example.Main';
    return callWith('sh', ['-c', command], join(directory, 'made'), server);
  },
};

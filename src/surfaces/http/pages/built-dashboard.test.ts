import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { temporaryDirectory } from '../../../../test/harness/databases/databases.ts';
import { eventually } from '../../../../test/harness/eventually.ts';
import { createLogger } from '../../../kernel/logger.ts';
import { createDashboard, type Dashboard, type DashboardState } from './built-dashboard.ts';
import { describeBuild, isCurrent } from './dashboard-sources.ts';

const SOURCES = join(import.meta.dirname, 'dashboard-sources.ts');

/** Builds like the real one as far as the server can see: a folder named by its sources, then the note about it. */
const BUILD = `
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { builtFolder, describeBuild, writeBuilt } from ${JSON.stringify(SOURCES)};
const root = process.cwd();
const built = describeBuild(root, ['src/contract/tags.ts']);
mkdirSync('web/dist/.building-' + process.pid, { recursive: true });
cpSync('web/index.html', 'web/dist/.building-' + process.pid + '/index.html');
rmSync(builtFolder(root, built.hash), { recursive: true, force: true });
renameSync('web/dist/.building-' + process.pid, builtFolder(root, built.hash));
writeBuilt(root, built);
`;

/** A miniature clone. */
function clone(): { path: string; write: (file: string, text: string) => void } {
  const directory = temporaryDirectory();
  onTestFinished(() => directory.remove());
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(directory.path, file)), { recursive: true });
    writeFileSync(join(directory.path, file), text);
  };
  write('package.json', '{"type":"module"}');
  write('package-lock.json', '{}');
  write('web/index.html', 'first');
  write('web/pages/tags.tsx', 'tags');
  write('src/contract/tags.ts', 'contract');
  write('tools/web/config.ts', '');
  write('tools/web/licences.ts', '');
  write('tools/web/slim-contracts.ts', '');
  write('tools/web/first-paint.ts', '');
  write('tools/web/service-worker.ts', '');
  write('tools/web/build.ts', BUILD);
  write('node_modules/vite/package.json', '{}');
  return { path: directory.path, write };
}

interface Started {
  dashboard: Dashboard;
  said: string[];
  logged: string[];
  settled: () => Promise<DashboardState>;
}

async function start(root: string): Promise<Started> {
  const [said, logged]: [string[], string[]] = [[], []];
  const logger = await createLogger({
    level: 'info',
    format: 'json',
    destination: { write: (line) => logged.push(line) },
  });
  const dashboard = createDashboard({ logger, root, say: (line) => said.push(line) });
  onTestFinished(() => dashboard.close());
  const settled = async (): Promise<DashboardState> => {
    await eventually(() => expect(dashboard.state().is).not.toBe('building'));
    return dashboard.state();
  };
  return { dashboard, said, logged, settled };
}

function textOf(state: DashboardState): string {
  return state.is === 'ready' ? readFileSync(join(state.folder, 'index.html'), 'utf8') : state.is;
}

describe('the dashboard', () => {
  test('is built at the first start, while the service already answers; the next start finds it', async () => {
    const { path, write } = clone();
    const first = await start(path);
    expect(first.dashboard.state()).toEqual({ is: 'building' });
    expect(textOf(await first.settled())).toBe('first');
    expect(first.said).toHaveLength(1);
    const second = await start(path);
    expect([textOf(second.dashboard.state()), second.said]).toEqual(['first', []]);
    // A file that is only newer, as after a copy, is still the same.
    utimesSync(join(path, 'web/pages/tags.tsx'), 1_900_000_000, 1_900_000_000);
    expect(textOf((await start(path)).dashboard.state())).toBe('first');
    write('web/index.html', 'later');
    expect(textOf(await (await start(path)).settled())).toBe('later');
  });

  test.each([
    ['a page', 'web/pages/tags.tsx'],
    ['a contract that a page imports', 'src/contract/tags.ts'],
    ['a package', 'package-lock.json'],
    ['a new file', 'web/pages/new.tsx'],
  ])('is out of date once %s has changed', (_what, file) => {
    const { path, write } = clone();
    const built = describeBuild(path, ['src/contract/tags.ts']);
    expect(isCurrent(path, built)).toBe(true);
    write(file, 'changed');
    expect(isCurrent(path, built)).toBe(false);
  });

  test('of a copy is served although its note cannot be renewed', async () => {
    const { path } = clone();
    await (await start(path)).settled();
    utimesSync(join(path, 'web/pages/tags.tsx'), 1, 1);
    // Where the new note would be written, something is in the way.
    mkdirSync(join(path, `web/dist/built.json.${process.pid}`));
    const copied = await start(path);
    expect([copied.dashboard.state().is, copied.said]).toEqual(['ready', []]);
  });

  test('is whole after two starts at once', async () => {
    const { path } = clone();
    const both = await Promise.all([start(path), start(path)]);
    for (const { dashboard } of both) expect(dashboard.state()).toEqual({ is: 'building' });
    for (const { settled } of both) expect(textOf(await settled())).toBe('first');
  });

  test('of a release needs no sources and no packages', async () => {
    const { path } = clone();
    await (await start(path)).settled();
    for (const gone of ['tools', 'node_modules', 'web/index.html', 'web/pages']) {
      rmSync(join(path, gone), { recursive: true });
    }
    expect(textOf((await start(path)).dashboard.state())).toBe('first');
  });

  test('that cannot be built says why and what to do, in the log and on its page', async () => {
    const { path, write } = clone();
    write('tools/web/build.ts', `process.stderr.write('tags.tsx: a bracket is missing'); process.exitCode = 1;`);
    const broken = await start(path);
    broken.dashboard.state();
    const state = await broken.settled();
    expect(state).toMatchObject({ is: 'failed', reason: expect.stringContaining('tags.tsx: a bracket is missing') });
    expect(broken.logged.join('')).toContain('npm run build');

    rmSync(join(path, 'node_modules'), { recursive: true });
    const bare = (await start(path)).dashboard.state();
    expect(bare).toMatchObject({ is: 'failed', reason: expect.stringContaining('npm ci') });
  });
});

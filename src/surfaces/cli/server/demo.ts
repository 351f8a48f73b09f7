import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import type { Command } from 'commander';

import { createApp, type App } from '../../../app.ts';
import { createDemoLink, type DemoLink } from '../../../features/demo/index.ts';
import { isOwnAddress } from '../../../features/setup/index.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { processEnvironment, readConfig, type Config } from '../../../kernel/config.ts';
import { OperatorError } from '../../../kernel/errors.ts';
import { isLoopbackHost } from '../../../kernel/network.ts';
import { makePrivateFolder } from '../../../kernel/private-folder.ts';
import { systemRandom } from '../../../kernel/random.ts';
import { UsageError } from '../exit.ts';
import { fillDemo, startDemoWorld, type DemoServer, type DemoWorld, type FilledDemo } from './fill-demo.ts';
import { progressLine } from './progress-line.ts';
import { quoted } from './same-installation.ts';
import { closeInTime, stopSignal, type StopSignal } from './stopping.ts';

interface DemoFlags {
  port?: string;
  seed: string;
  transactions: string;
  keep?: string;
}

interface Demo {
  seed: number;
  transactions: number;
}

const MAX_SEED = 4_294_967_295;
const MAX_TRANSACTIONS = 10_000_000;

/** The only variables a demo takes from the environment: none of them says where real data lies. */
const TAKEN = ['HOST', 'PORT', 'LOG_LEVEL', 'LOG_FORMAT', 'API_RATE_LIMIT_RPM', 'API_RATE_LIMIT_BURST', 'CORS_ORIGINS'];

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('run a server with a made-up household, deleted at the end')
    .option('--port <port>', 'port to listen on (PORT)')
    .option('--seed <n>', 'number from which the household is generated', '1')
    .option('--transactions <n>', 'number of transactions', '12000')
    .option('--keep <dir>', 'keep the data in this new or empty directory')
    .action((flags: DemoFlags) => demo(flags));
}

/** Boots, writes the household, listens, and removes the data after SIGTERM or SIGINT. */
async function demo(flags: DemoFlags): Promise<void> {
  const wanted = {
    seed: wholeNumber('--seed', flags.seed, 0, MAX_SEED),
    transactions: wholeNumber('--transactions', flags.transactions, 0, MAX_TRANSACTIONS),
  };
  const taken = Object.entries(processEnvironment()).filter(([name]) => TAKEN.includes(name));
  const environment = {
    LOG_LEVEL: 'warn',
    ...Object.fromEntries(taken),
    ...(flags.port === undefined ? {} : { PORT: flags.port }),
  };
  readConfig(environment);
  const stop = stopSignal();
  const dataDir = makeDirectory(flags.keep);
  const remove = (): void => {
    if (flags.keep === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  // The exit covers a stop that runs out of time.
  process.once('exit', remove);
  let world: DemoWorld | undefined;
  try {
    world = await startDemoWorld(wanted.seed);
    const config = readConfig({ ...environment, ...world.environment, HOMELEDGER_DATA_DIR: dataDir });
    const sessionCookie = `homeledger_demo_session_${config.port}` as const;
    await serveDemo({ ...config, sessionCookie }, wanted, { stop, flags, world });
  } finally {
    await world?.close();
    remove();
  }
}

interface Around {
  stop: StopSignal;
  flags: DemoFlags;
  world: DemoWorld;
}

async function serveDemo(config: Config, wanted: Demo, { stop, flags, world }: Around): Promise<void> {
  const link = createDemoLink(systemClock, systemRandom());
  const app = await createApp(config, {
    demoLink: link,
    isQuiet: true,
    dashboard: { say: (line) => process.stderr.write(`${line}\n`) },
  });
  try {
    const address = await listen(app, config);
    const filled = await fill({ app, config, address }, wanted, { stop, world });
    if (filled === null || stop.isAsked()) return;
    const { counts, since, until, keys } = filled;
    process.stdout.write(
      `${[
        `Homeledger ${app.instance.version} demo: ${address}`,
        `A made-up household: ${counts.people} people, ${counts.accounts} accounts, ${counts.transactions.toLocaleString('en-US')} transactions`,
        `from ${since} to ${until}; seed ${wanted.seed}.`,
        '',
        ...signInLines(address, filled, isLoopbackHost(config.host) && isOwnAddress(address) ? link : null),
        '',
        `  full_access  ${keys.full_access}`,
        `  propose      ${keys.propose}`,
        `  read_only    ${keys.read_only}`,
        '',
        'Its banks are simulated. Connect another under Connections, Add a bank. To let a day pass at a bank, or break its',
        'login, open the page of its provider:',
        ...world.banks.pages.map(({ provider, address }) => `  ${provider.padEnd(6)}  ${address}`),
        '',
        'The language model of its workflows is simulated, too, and costs nothing. Add Routine Reviewer under Workflows and press',
        'Run now: what it would change waits under Proposals a few seconds later.',
        '',
        'Try:',
        `  curl -H 'X-API-Key: ${keys.read_only}' '${address}/api/v1/transactions?limit=5&fields=core'`,
        `The API reference: ${address}/docs`,
        flags.keep === undefined
          ? 'Ctrl-C stops the server and deletes everything.'
          : `Ctrl-C stops the server, its banks and its model. Afterwards: HOMELEDGER_DATA_DIR=${quoted(config.dataDir)} npm start`,
      ].join('\n')}\n`,
    );
    // A second's work, which nobody waits for who only looks around.
    world.banks.addBanksToLink();
    await stop.asked;
  } finally {
    await closeInTime(app, () => undefined);
  }
}

async function listen(app: App, config: Config): Promise<string> {
  try {
    return await app.listen();
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${config.port} is in use. Choose another with --port.`, { cause: error });
  }
}

/** Null if the demo was asked to stop before the household was written. */
async function fill(
  server: DemoServer,
  wanted: Demo,
  { stop, world }: Omit<Around, 'flags'>,
): Promise<FilledDemo | null> {
  const progress = progressLine(wanted.transactions, process.stderr, processEnvironment());
  try {
    return await fillDemo(server, world, {
      ...wanted,
      async onProgress(written) {
        progress.show(written);
        // Lets signals in: the embedded database never gives the event loop a turn by itself.
        await new Promise((resume) => setImmediate(resume));
        if (stop.isAsked()) throw new Stopped();
      },
    });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return null;
  } finally {
    progress.end();
  }
}

class Stopped extends Error {}

/** How a visitor gets in. The link works only on this machine, so elsewhere it is not printed. */
function signInLines(address: string, { addresses, password }: FilledDemo, link: DemoLink | null): string[] {
  const byLink = [
    'Open this link to sign in as the admin. It works once, within an hour:',
    `  ${address}/demo/${link?.open()}`,
    '',
  ];
  return [
    ...(link === null ? [] : byLink),
    `To see what others can do, sign in at ${address}/login with the password ${password}:`,
    `  ${addresses.join(', ')}`,
  ];
}

/** A directory that only its owner can open: a temporary one, or the one to keep. */
function makeDirectory(keep: string | undefined): string {
  if (keep === undefined) return makeTemporaryDirectory();
  const path = resolve(keep);
  let isEmpty: boolean;
  try {
    makePrivateFolder(path);
    isEmpty = readdirSync(path).length === 0;
  } catch {
    throw new UsageError(`--keep: ${path} cannot be created or read. Use a new or empty directory.`);
  }
  if (isEmpty) return path;
  throw new UsageError(
    `--keep: ${path} is not empty. The demo never writes into existing data; use a new or empty directory.`,
  );
}

function makeTemporaryDirectory(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'homeledger-demo-'));
  } catch {
    throw new OperatorError(`Nothing can be created in ${tmpdir()}. Set TMPDIR to a directory that you can write to.`);
  }
}

function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${flag} must be a whole number from ${min} to ${max}.`);
}

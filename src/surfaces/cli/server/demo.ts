import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import type { Command } from 'commander';

import type { DemoBanks } from '../../../../simulators/demo-banks.ts';
import type { DemoModel } from '../../../../simulators/demo-model.ts';
import { createApp, type App } from '../../../app.ts';
import { makeKey } from '../../../features/api-keys/index.ts';
import type { KeyScope } from '../../../kernel/scopes.ts';
import { addDemoLogins, createDemoLink, openDemoConnections, type DemoLink } from '../../../features/demo/index.ts';
import { isOwnAddress } from '../../../features/setup/index.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { processEnvironment, readConfig, type Config } from '../../../kernel/config.ts';
import { addDays, machineTimeZone, todayIn } from '../../../kernel/dates.ts';
import { OperatorError } from '../../../kernel/errors.ts';
import { randomBase62 } from '../../../kernel/ids.ts';
import { isLoopbackHost } from '../../../kernel/network.ts';
import { makePrivateFolder } from '../../../kernel/private-folder.ts';
import { systemRandom } from '../../../kernel/random.ts';
import { UsageError } from '../exit.ts';
import { writeAsCli } from './local-app.ts';
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
const PASSWORD_CHARS = 12;

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
  let banks: DemoBanks | undefined;
  let model: DemoModel | undefined;
  try {
    const [{ startDemoBanks }, { startDemoModel }] = await Promise.all([
      import('../../../../simulators/demo-banks.ts'),
      import('../../../../simulators/demo-model.ts'),
    ]);
    banks = await startDemoBanks(wanted.seed);
    model = await startDemoModel();
    const simulated = { ...banks.environment, ...model.environment };
    const config = readConfig({ ...environment, ...simulated, HOMELEDGER_DATA_DIR: dataDir });
    const sessionCookie = `homeledger_demo_session_${config.port}` as const;
    await serveDemo({ ...config, sessionCookie }, wanted, { stop, flags, banks });
  } finally {
    await banks?.close();
    await model?.close();
    remove();
  }
}

interface Around {
  stop: StopSignal;
  flags: DemoFlags;
  banks: DemoBanks;
}

async function serveDemo(config: Config, wanted: Demo, { stop, flags, banks }: Around): Promise<void> {
  const link = createDemoLink(systemClock, systemRandom());
  const app = await createApp(config, {
    demoLink: link,
    dashboard: { say: (line) => process.stderr.write(`${line}\n`) },
  });
  try {
    const address = await listen(app, config);
    const lines = await fill(app, wanted, { stop, banks });
    if (stop.isAsked()) return;
    await openBanks(app, banks, address);
    const people = await addPeople(app);
    const keyFor = (scope: KeyScope): Promise<string> => demoKey(app, scope, people.adminId);
    const [full, proposing, reading] = [
      await keyFor('full_access'),
      await keyFor('propose'),
      await keyFor('read_only'),
    ];
    process.stdout.write(
      `${[
        `Homeledger ${app.instance.version} demo: ${address}`,
        ...lines,
        '',
        ...signInLines(address, people, isLoopbackHost(config.host) && isOwnAddress(address) ? link : null),
        '',
        `  full_access  ${full}`,
        `  propose      ${proposing}`,
        `  read_only    ${reading}`,
        '',
        'Its banks are simulated. Connect another under Connections, Add a bank. To let a day pass at a bank, or break its',
        'login, open the page of its provider:',
        ...banks.pages.map(({ provider, address }) => `  ${provider.padEnd(6)}  ${address}`),
        '',
        'The language model of its workflows is simulated, too, and costs nothing. Add Routine Reviewer under Workflows and press',
        'Run now: what it would change waits under Proposals a few seconds later.',
        '',
        'Try:',
        `  curl -H 'X-API-Key: ${reading}' '${address}/api/v1/transactions?limit=5&fields=core'`,
        `The API reference: ${address}/docs`,
        flags.keep === undefined
          ? 'Ctrl-C stops the server and deletes everything.'
          : `Ctrl-C stops the server, its banks and its model. Afterwards: HOMELEDGER_DATA_DIR=${quoted(config.dataDir)} npm start`,
      ].join('\n')}\n`,
    );
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

/** Writes the household and returns lines about it. Ends early when asked to stop. */
async function fill(app: App, wanted: Demo, { stop, banks }: Omit<Around, 'flags'>): Promise<string[]> {
  const [{ generateHousehold }, { writeHousehold }] = await Promise.all([
    import('../../../../simulators/household.ts'),
    import('../../../../simulators/write-household.ts'),
  ]);
  const until = addDays(todayIn(machineTimeZone(), app.instance.clock), -1);
  const household = banks.watch(generateHousehold({ ...wanted, until }));
  const progress = progressLine(wanted.transactions, process.stderr, processEnvironment());
  try {
    await writeHousehold(app.instance, household, {
      async onProgress(written) {
        progress.show(written);
        // Lets signals in: the embedded database never gives the event loop a turn by itself.
        await new Promise((resume) => setImmediate(resume));
        if (stop.isAsked()) throw new Stopped();
      },
    });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    progress.end();
  }
  const { members, accounts, since } = household;
  const count = wanted.transactions.toLocaleString('en-US');
  return [
    `A made-up household: ${members.length} people, ${accounts.length} accounts, ${count} transactions`,
    `from ${since} to ${until}; seed ${wanted.seed}.`,
  ];
}

/** From here on the household's connections are synced with their simulated banks. */
async function openBanks(app: App, banks: DemoBanks, address: string): Promise<void> {
  const accesses = banks.open(address);
  await writeAsCli(app, 'connection.update', (tx) => openDemoConnections(tx, app.instance, accesses));
}

class Stopped extends Error {}

interface People {
  adminId: string | null;
  /** Who signs in, and with which role. */
  addresses: readonly string[];
  password: string;
}

/** Logins for the household, with one password. */
async function addPeople(app: App): Promise<People> {
  const { passwords, random } = app.instance;
  const password = randomBase62(random, PASSWORD_CHARS);
  const hash = await passwords.hash(password);
  const made = await writeAsCli(app, 'login.create', (tx) => addDemoLogins(tx, hash));
  return {
    adminId: made.find(({ role }) => role === 'admin')?.user_id ?? null,
    addresses: made.map(({ identifier, role }) => `${identifier} (${role})`),
    password,
  };
}

/** How a visitor gets in. The link works only on this machine, so elsewhere it is not printed. */
function signInLines(address: string, { addresses, password }: People, link: DemoLink | null): string[] {
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

const KEY_NAMES = { read_only: 'Demo, reading', propose: 'Demo, agent', full_access: 'Demo' } as const;

async function demoKey(app: App, scope: KeyScope, memberId: string | null): Promise<string> {
  const wanted = { name: KEY_NAMES[scope], scope, memberId };
  return (await writeAsCli(app, 'api_key.create', (tx) => makeKey(app.instance, tx, wanted))).key;
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

import type { DemoBanks } from '../../../../simulators/demo-banks.ts';
import type { DemoModel } from '../../../../simulators/demo-model.ts';
import type { DemoPhone } from '../../../../simulators/demo-phone.ts';
import { createApp, type App, type Overrides } from '../../../app.ts';
import { makeKey } from '../../../features/api-keys/index.ts';
import { addDemoLogins, openDemoConnections } from '../../../features/demo/index.ts';
import type { Config } from '../../../kernel/config.ts';
import { addDays, machineTimeZone, todayIn, type DateOnly } from '../../../kernel/dates.ts';
import { randomBase62 } from '../../../kernel/ids.ts';
import type { KeyScope } from '../../../kernel/scopes.ts';
import { writeAsCli } from './local-app.ts';

/** What a demo talks to, all simulated on this machine. */
export interface DemoWorld {
  banks: DemoBanks;
  model: DemoModel;
  phone: DemoPhone;
  /** What a server needs in its environment to use them. */
  environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startDemoWorld(seed: number): Promise<DemoWorld> {
  const [{ startDemoBanks }, { startDemoModel }, { startDemoPhone }] = await Promise.all([
    import('../../../../simulators/demo-banks.ts'),
    import('../../../../simulators/demo-model.ts'),
    import('../../../../simulators/demo-phone.ts'),
  ]);
  const [banks, model, phone] = await Promise.all([startDemoBanks(seed), startDemoModel(), startDemoPhone()]);
  return {
    banks,
    model,
    phone,
    environment: { ...banks.environment, ...model.environment },
    async close() {
      await Promise.all([banks.close(), model.close(), phone.close()]);
    },
  };
}

/** The server of a demo: it listens, and begins nothing by itself before the demo is filled. */
export interface DemoServer {
  app: App;
  config: Config;
  address: string;
}

export interface DemoToFill {
  seed: number;
  transactions: number;
  /** Hears how many transactions are written so far; what it throws ends the filling. */
  onProgress: (written: number) => Promise<void>;
  /** How the part of the server that tells the past is made. */
  overrides?: Pick<Overrides, 'random'>;
}

export interface FilledDemo {
  since: DateOnly;
  until: DateOnly;
  counts: { people: number; accounts: number; transactions: number };
  adminId: string | null;
  /** Who signs in, and with which role. */
  addresses: readonly string[];
  password: string;
  keys: Readonly<Record<KeyScope, string>>;
}

/** Writes the household and its life until today, and opens its banks. */
export async function fillDemo(server: DemoServer, world: DemoWorld, wanted: DemoToFill): Promise<FilledDemo> {
  const { app, address } = server;
  const until = addDays(todayIn(machineTimeZone(), app.instance.clock), -1);
  const past = await tellThePast(server, world, { ...wanted, until });
  world.model.slowDown();
  app.begin();
  return { ...past, until, counts: await countAll(address, past.keys.read_only) };
}

/** In an app of its own, whose time is the past, and which works on nothing that it is not told to. */
async function tellThePast(
  { app, config, address }: DemoServer,
  { banks, model, phone }: DemoWorld,
  { seed, transactions, until, onProgress, overrides }: DemoToFill & { until: DateOnly },
): Promise<Omit<FilledDemo, 'until' | 'counts'>> {
  const [{ generateHousehold }, { writeHousehold }, { createStoryClock, STORY_DAYS, tellStory, withFiles }] =
    await Promise.all([
      import('../../../../simulators/household.ts'),
      import('../../../../simulators/write-household.ts'),
      import('../../../../simulators/household-story.ts'),
    ]);
  const clock = createStoryClock(Date.parse(`${addDays(until, -STORY_DAYS)}T17:00:00.000Z`));
  const unlimited = { rateRefillPerMinute: 1_000_000, rateBurst: 1_000_000 };
  const past = await createApp(
    { ...config, ...unlimited },
    { logger: app.instance.logger, ...overrides, clock, workers: 0 },
  );
  try {
    const { household: written, files } = withFiles(generateHousehold({ seed, transactions, until }), until);
    const household = banks.watch(written);
    await writeHousehold(past.instance, household, { onProgress });
    const accesses = banks.open(address);
    const people = await addPeople(past);
    const keys = await makeKeys(past, people.adminId);
    const openBanks = (): Promise<void> =>
      writeAsCli(past, 'connection.update', (tx) => openDemoConnections(tx, past.instance, accesses));
    const told = { household, rows: banks.rows(), files: files(), banks, model, phoneUrl: phone.url, openBanks };
    await tellStory({ app: past, clock, until, ...told });
    return { ...people, since: household.since, keys };
  } finally {
    await past.close();
  }
}

type People = Pick<FilledDemo, 'adminId' | 'addresses' | 'password'>;

const PASSWORD_CHARS = 12;

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

const KEY_NAMES = { read_only: 'Demo, reading', propose: 'Demo, agent', full_access: 'Demo' } as const;

async function makeKeys(app: App, memberId: string | null): Promise<FilledDemo['keys']> {
  return {
    full_access: await demoKey(app, 'full_access', memberId),
    propose: await demoKey(app, 'propose', memberId),
    read_only: await demoKey(app, 'read_only', memberId),
  };
}

async function demoKey(app: App, scope: KeyScope, memberId: string | null): Promise<string> {
  const wanted = { name: KEY_NAMES[scope], scope, memberId };
  return (await writeAsCli(app, 'api_key.create', (tx) => makeKey(app.instance, tx, wanted))).key;
}

async function countAll(address: string, key: string): Promise<FilledDemo['counts']> {
  const get = async (path: string) =>
    (await fetch(`${address}/api/v1/${path}`, { headers: { 'x-api-key': key } })).json();
  const [people, accounts, { count }] = (await Promise.all([
    get('users'),
    get('accounts'),
    get('transactions/count'),
  ])) as [unknown[], unknown[], { count: number }];
  return { people: people.length, accounts: accounts.length, transactions: count };
}

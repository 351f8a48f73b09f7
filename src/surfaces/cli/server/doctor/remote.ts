import { Unanswered } from '../../exit.ts';
import { scopeAt } from '../../auth.ts';
import { chooseHost, type Host } from '../../hosts.ts';
import { ask, fail, pass, skip, warn, type CheckResult, type Finding } from './check.ts';

type Json = Readonly<Record<string, unknown>>;

/** What another server tells a key about itself; the other checks need to be there. */
export async function examineHost(name: string): Promise<CheckResult[]> {
  const host = await chooseHost(name);
  await scopeAt(host);
  const [bootstrap, health, workflows] = await Promise.all(
    ['headless/bootstrap', 'sync/health', 'workflows/status'].map((path) => read(host, path)),
  );
  const diagnostics = (bootstrap?.['diagnostics'] ?? null) as Json | null;
  const findings: Readonly<Record<string, Finding>> = {
    configuration: NOT_HERE,
    'data-directory': ofDisk(diagnostics),
    database: ofDatabase(diagnostics),
    migrations: ofMigrations(diagnostics),
    'encryption-key': NOT_HERE,
    providers: NOT_HERE,
    connections: ofConnections(health),
    'admin-login': ofAdmin(bootstrap),
    scheduler: ofScheduler(diagnostics),
    models: ofModels(workflows),
    'public-url': NOT_HERE,
    clock: NOT_HERE,
  };
  return Object.entries(findings).map(([check, { status, message, remediation = null }]) => ({
    name: check,
    status,
    message,
    remediation,
  }));
}

const NOT_HERE = skip('Can only be checked on that machine.');
const UNTOLD = skip('The server does not tell this key.');

async function read({ baseUrl, token }: Host, path: string): Promise<Json | undefined> {
  const response = await ask(`${baseUrl}/api/v1/${path}`, { headers: { 'x-api-key': token } }).catch(() => {
    throw new Unanswered(`No Homeledger answers at ${baseUrl}.`);
  });
  return response.status === 200 ? ((await response.json()) as Json) : undefined;
}

const FREE_BYTES = 2 ** 30;

function ofDisk(diagnostics: Json | null): Finding {
  const free = diagnostics?.['disk_free_bytes'];
  if (typeof free !== 'number') return UNTOLD;
  const message = `The data directory has ${Math.floor(free / 2 ** 20)} MiB free.`;
  return free >= FREE_BYTES ? pass(message) : warn(message, 'Free at least 1 GiB on its disk.');
}

function ofDatabase(diagnostics: Json | null): Finding {
  const database = diagnostics?.['database'] as Json | undefined;
  if (!database) return UNTOLD;
  if (database['connected'] === true) return pass('The server is connected to its database.');
  return fail('The server is not connected to its database.', 'Read its log.');
}

function ofMigrations(diagnostics: Json | null): Finding {
  const database = diagnostics?.['database'] as Json | undefined;
  if (!database) return UNTOLD;
  if (database['migrations_current'] === true) return pass('The schema is current.');
  return warn('The schema is not that of the program.', 'Restart the server.');
}

function ofConnections(health: Json | undefined): Finding {
  if (!health) return UNTOLD;
  const count = Number(health['connection_errors']);
  if (count === 0) return pass('No connection has an error.');
  return warn(`Connections with an error or without a sign-in: ${count}.`, 'Open the page Connections.');
}

function ofAdmin(bootstrap: Json | undefined): Finding {
  if (!bootstrap) return UNTOLD;
  if (bootstrap['first_run'] === false) return pass('An administrator can sign in.');
  return fail('Nobody can sign in as an administrator.', 'Run `homeledger users create-admin` on that machine.');
}

function ofScheduler(diagnostics: Json | null): Finding {
  if (!diagnostics) return UNTOLD;
  if (diagnostics['scheduler_running'] === true) return pass('The scheduler is alive.');
  return fail('The scheduler is not alive.', 'Restart the server, and read its log.');
}

function ofModels(workflows: Json | undefined): Finding {
  if (!workflows) return UNTOLD;
  if (workflows['enabled'] !== true) return pass('Workflows are switched off.');
  if (workflows['ready'] === true) return pass('Every tier has a model.');
  return warn('Workflows are switched on, but no model can be used.', 'Choose one on the page Models.');
}

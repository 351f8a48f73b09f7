import { chmod, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

import { parse, stringify, type TomlTable } from 'smol-toml';

import { processEnvironment } from '../../kernel/config.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { makePrivateFolder } from '../../kernel/private-folder.ts';
import { UsageError } from './exit.ts';

/** A Homeledger that client commands talk to. */
export interface Host {
  /** Its name in the file; null if the environment alone says where it is. */
  name: string | null;
  baseUrl: string;
  token: string;
}

/** `hosts.toml`, with whatever else is in it. */
export interface HostsFile {
  path: string;
  table: TomlTable;
}

const OTHERS_MAY = 0o077;

/** The stored hosts; none if there is no file. Removes the access of other users to it. */
export async function readHosts(): Promise<HostsFile> {
  const folder = configFolder();
  const path = join(folder, 'hosts.toml');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { path, table: {} };
    throw new OperatorError(`${path} cannot be read.`);
  }
  await narrow(folder, 0o700);
  await narrow(path, 0o600);
  try {
    return { path, table: parse(text) };
  } catch {
    throw new OperatorError(`${path} is not valid TOML. Correct it, or delete it and sign in again.`);
  }
}

/** A path from where the command happens to run would leave keys in any folder. @throws OperatorError */
function configFolder(): string {
  const { HOMELEDGER_CONFIG_DIR: own, XDG_CONFIG_HOME: shared = '' } = processEnvironment();
  if (own) return own;
  if (isAbsolute(shared)) return join(shared, 'homeledger');
  const home = homeFolder();
  if (isAbsolute(home)) return join(home, '.config', 'homeledger');
  throw new OperatorError(
    'There is no home directory to keep hosts.toml in. Set HOMELEDGER_CONFIG_DIR to a directory for it.',
  );
}

/** Empty for a user that the system does not know. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

async function narrow(path: string, mode: number): Promise<void> {
  if (((await stat(path)).mode & OTHERS_MAY) === 0) return;
  process.stderr.write(`warning: Other users could read ${path}; now only you can.\n`);
  await chmod(path, mode);
}

/** Replaces the file atomically, so that an interrupted command leaves the old one. @throws OperatorError */
export async function writeHosts({ path, table }: HostsFile): Promise<void> {
  const draft = `${path}.${process.pid}`;
  try {
    makePrivateFolder(dirname(path));
    await writeFile(draft, stringify(table), { mode: 0o600 });
    await rename(draft, path);
  } catch {
    throw new OperatorError(
      `${path} cannot be written. Set HOMELEDGER_CONFIG_DIR to a directory that you can write to.`,
    );
  }
}

/** The entries of the file by name. @throws OperatorError for one that is incomplete */
export function hostsIn({ path, table }: HostsFile): Map<string, Host> {
  const { hosts } = table;
  const found = new Map<string, Host>();
  for (const [name, entry] of Object.entries((hosts ?? {}) as TomlTable)) {
    const { base_url: baseUrl, token } = (entry ?? {}) as TomlTable;
    if (typeof baseUrl !== 'string' || typeof token !== 'string' || !URL.canParse(baseUrl)) {
      throw new OperatorError(`${path}: the host ${name} needs a base_url and a token.`);
    }
    found.set(name, { name, baseUrl, token });
  }
  return found;
}

/**
 * The host of a client command: that of the environment, the one that is named, the default, or the only one (contract 85.2).
 * @throws UsageError
 */
export async function chooseHost(named: string | undefined): Promise<Host> {
  const { HOMELEDGER_URL: baseUrl, HOMELEDGER_API_KEY: key, HOMELEDGER_HOST: wanted } = processEnvironment();
  if (baseUrl && key) {
    if (!URL.canParse(baseUrl))
      throw new UsageError('HOMELEDGER_URL must be an address such as https://ledger.example.org.');
    return { name: null, baseUrl, token: key };
  }
  const file = await readHosts();
  const host = pick(hostsIn(file), named ?? (wanted || undefined) ?? defaultOf(file));
  return key ? { ...host, token: key } : host;
}

export function defaultOf({ table }: HostsFile): string | undefined {
  return typeof table['default'] === 'string' ? table['default'] : undefined;
}

function pick(hosts: ReadonlyMap<string, Host>, name: string | undefined): Host {
  const advice = 'Sign in first: homeledger auth login URL --with-token-stdin.';
  if (hosts.size === 0) throw new UsageError(`There are no stored hosts. ${advice}`);
  if (name !== undefined) {
    const host = hosts.get(name);
    if (host) return host;
    throw new UsageError(`The host ${name} is not known. Known: ${[...hosts.keys()].join(', ')}. ${advice}`);
  }
  const [only] = hosts.values();
  if (only && hosts.size === 1) return only;
  throw new UsageError(`Choose a host with --host: ${[...hosts.keys()].join(', ')}.`);
}

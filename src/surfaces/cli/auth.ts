import { text } from 'node:stream/consumers';

import type { Command } from 'commander';
import { z } from 'zod';

import { CLIENT_NAMES, processEnvironment, unknownNames } from '../../kernel/config.ts';
import { AppError, ERRORS, type ErrorCode } from '../../kernel/errors.ts';
import { shownText, Unanswered, UsageError } from './exit.ts';
import { chooseHost, defaultOf, hostsIn, readHosts, writeHosts, type Host, type HostsFile } from './hosts.ts';

const CHECK_MS = 10_000;
/** What a header can carry of a key; an empty one is left to the server. */
const SENDABLE = /^[!-~]*$/;

interface LoginFlags {
  name?: string;
  withTokenStdin?: boolean;
}

export function addAuthCommands(program: Command): void {
  const auth = program
    .command('auth')
    .description('keep the addresses and keys of running servers in hosts.toml')
    .hook('preAction', () => {
      for (const problem of unknownNames(processEnvironment(), CLIENT_NAMES)) {
        process.stderr.write(`warning: ${problem}\n`);
      }
    });
  auth
    .command('login <url>')
    .description('check a key of this server and store it')
    .option('--name <name>', 'what to call it here; by default the host part of the address')
    .option('--with-token-stdin', 'read the key from standard input')
    .action((url: string, flags: LoginFlags) => login(url, flags));
  auth.command('status').description('list the stored hosts, and whether they accept their keys').action(status);
  auth.command('use <name>').description('make a host the default').action(use);
  auth.command('logout [name]').description('forget a host and its key').action(logout);
}

async function login(url: string, { name, withTokenStdin }: LoginFlags): Promise<void> {
  if (name?.trim() === '') throw new UsageError('--name: must not be empty');
  if (withTokenStdin !== true) throw new UsageError('Pass the key on standard input, with --with-token-stdin.');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError('The address must be one such as https://ledger.example.org.');
  }
  const { origin, hostname, protocol } = new URL(url);
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === 'http:' && !isHere) {
    process.stderr.write(`warning: Others in the network can read the key on its way to ${origin}. Use https.\n`);
  }
  const token = (await text(process.stdin)).trim();
  const scope = await scopeAt({ baseUrl: origin, token }).catch((error: unknown) => {
    // The server would speak of the header that the key belongs into.
    const isKeyMissing = token === '' && error instanceof AppError;
    throw isKeyMissing ? new AppError('MISSING_API_KEY', 'There is no key on standard input.') : error;
  });
  const file = await readHosts();
  const chosen = name ?? hostname;
  const { hosts = {} } = file.table;
  file.table['hosts'] = { ...(hosts as object), [chosen]: { base_url: origin, token, scope } };
  file.table['default'] ??= chosen;
  await writeHosts(file);
  process.stderr.write(`Stored ${chosen} (${origin}, ${scope}) in ${file.path}.\n`);
}

async function status(): Promise<void> {
  const file = await readHosts();
  const hosts = hostsIn(file);
  if (hosts.size === 0) process.stderr.write('No hosts.\n');
  for (const host of hosts.values()) {
    const state = await scopeAt(host).catch((error: Error) => error.message);
    const mark = host.name === defaultOf(file) ? '*' : ' ';
    process.stdout.write(`${mark} ${host.name}  ${host.baseUrl}  ${host.token.slice(0, 11)}…  ${state}\n`);
  }
  if (hosts.size > 0) await scopeAt(await chooseHost(undefined));
}

async function use(name: string): Promise<void> {
  const file = await readHosts();
  known(file, name);
  file.table['default'] = name;
  await writeHosts(file);
}

async function logout(name: string | undefined): Promise<void> {
  const file = await readHosts();
  const { name: chosen } = known(file, name ?? (await chooseHost(undefined)).name ?? nameless());
  const others = Object.entries(file.table['hosts'] as object).filter(([one]) => one !== chosen);
  file.table['hosts'] = Object.fromEntries(others);
  if (defaultOf(file) === chosen) delete file.table['default'];
  await writeHosts(file);
}

/** The environment alone says where the host is: there is nothing in the file to forget. @throws UsageError */
function nameless(): never {
  throw new UsageError('The host comes from HOMELEDGER_URL, which is not stored. Name the one to forget.');
}

/** @throws UsageError */
function known(file: HostsFile, name: string): Host {
  const host = hostsIn(file).get(name);
  if (!host && name.trim() === '') throw new UsageError('The name of the host must not be empty.');
  if (!host) throw new UsageError(`The host ${name} is not known. See homeledger auth status.`);
  return host;
}

/** What the server says the key may do. @throws AppError when it refuses the key, Unanswered when it does not say */
export async function scopeAt({ baseUrl, token }: Pick<Host, 'baseUrl' | 'token'>): Promise<string> {
  if (!SENDABLE.test(token)) {
    throw new AppError(
      'INVALID_API_KEY',
      'The key contains characters that no key has. Copy it again, from hl_ to its end.',
    );
  }
  let said: unknown;
  try {
    const response = await fetch(new URL('/api/v1/keys/me', baseUrl), {
      headers: { 'x-api-key': token },
      redirect: 'manual',
      signal: AbortSignal.timeout(CHECK_MS),
    });
    said = await response.json();
  } catch {
    throw new Unanswered(`No Homeledger answers at ${baseUrl}.`);
  }
  const answer = Answer.safeParse(said);
  if (!answer.success) throw new Unanswered(`What answers at ${baseUrl} is not Homeledger.`);
  if ('error' in answer.data) throw refusal(answer.data.error);
  return answer.data.scope;
}

/** A later version may have scopes of other names. */
const Answer = z.union([
  z.object({ scope: z.string().regex(/^[a-z_]{1,40}$/) }),
  z.object({
    error: z.object({
      code: z.custom<ErrorCode>((code) => typeof code === 'string' && Object.hasOwn(ERRORS, code)),
      message: z.string().transform(shownText),
    }),
  }),
]);

function refusal({ code, message }: { code: ErrorCode; message: string }): Error {
  const refused = new AppError(code, message);
  return refused.status >= 500 ? new Unanswered(`${code}: ${message}`) : refused;
}

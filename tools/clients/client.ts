import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** A generator of clients, tried against a running server. Every step works in a directory of its own. */
export interface Client {
  name: string;
  version: string;
  /** Installs the tool and makes the client from `openapi.json`. */
  generate(directory: string): Promise<void>;
  compile(directory: string): Promise<void>;
  /** Lists, patches and imports; its output is what became of them. */
  call(directory: string, server: Server): Promise<Called>;
}

export interface Server {
  url: string;
  key: string;
}

export interface Called {
  /** Transactions listed; three were asked for. */
  list: number;
  /** The name that the account has after the patch. */
  patch: string;
  /** Rows of the imported file. */
  import: number;
}

export const ROOT = join(import.meta.dirname, '../..');
export const DOCUMENT = join(ROOT, 'openapi.json');
export const PROGRAMS = join(import.meta.dirname, 'programs');
const BANK_FILE = join(ROOT, 'docs/guides/example-bank.csv');

/** Runs a program to its end. @throws with what it wrote when it fails */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const done = Promise.withResolvers<number | null>();
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.on('error', done.reject);
  child.on('close', done.resolve);
  if ((await done.promise) !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}${errors}`);
  return output;
}

/** Runs the program that uses a client, and reads what it tells. */
export async function callWith(command: string, args: readonly string[], cwd: string, server: Server): Promise<Called> {
  const output = await run(command, args, cwd, { API_URL: server.url, API_KEY: server.key, BANK_FILE });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Called;
}

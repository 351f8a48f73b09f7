import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { inject, onTestFinished } from 'vitest';

/** A Node program of this repository, running as a process of its own. */
export interface Program {
  pid: number;
  /** Standard output and standard error so far. */
  out(): string;
  err(): string;
  /** The first match on standard error; rejects when the program ends without one. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface ProgramOptions {
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** What it reads on standard input; nothing unless given. */
  input?: string;
  /** What runs the words, instead of Node. */
  program?: string;
}

const ROOT = join(import.meta.dirname, '../../..');
const SAYS_MS = 30_000;

/** Starts `node <words>` with no settings but those given; what still runs at the test's end is killed. */
export function startProgram(words: readonly string[], options: ProgramOptions = {}): Program {
  const [script = '', ...rest] = words;
  const child = spawn(options.program ?? process.execPath, [join(ROOT, script), ...rest], {
    cwd: options.cwd ?? ROOT,
    // Type stripping and compiling would be most of the time that these short programs take.
    env: { NODE_COMPILE_CACHE: join(inject('temporaryRoot'), 'compiled'), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A program that ends without reading it breaks the pipe.
  child.stdin.on('error', () => undefined).end(options.input);
  const texts = { out: '', err: '' };
  const listeners = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => {
    texts.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    texts.err += chunk.toString();
    for (const listener of listeners) listener();
  });
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    pid: child.pid ?? 0,
    out: () => texts.out,
    err: () => texts.err,
    says(pattern) {
      return new Promise((resolve, reject) => {
        const fail = (): void => reject(new Error(`Never said ${String(pattern)}, but:\n${texts.err}`));
        const timer = setTimeout(fail, SAYS_MS);
        const look = (): void => {
          const found = pattern.exec(texts.err);
          if (!found) return;
          clearTimeout(timer);
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        void ended.then(fail);
        look();
      });
    },
    kill: (signal) => {
      child.kill(signal);
    },
    ended,
  };
}

/** Runs a program to its end. */
export async function runProgram(
  words: readonly string[],
  options: ProgramOptions = {},
): Promise<{ code: number | null; signal: NodeJS.Signals | null; out: string; err: string }> {
  const program = startProgram(words, options);
  const { code, signal } = await program.ended;
  return { code, signal, out: program.out(), err: program.err() };
}

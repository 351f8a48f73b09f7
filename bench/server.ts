import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';

import { freePort } from '../test/harness/servers/free-port.ts';
import { environmentOf, type BenchLedger } from './ledgers.ts';
import { call } from './load.ts';
import { processorSeconds } from './processor.ts';

const IDLE_AFTER_MS = 45_000;
const KNOCK_EVERY_MS = 4;
const LOG_TAIL_CHARS = 10_000;

/** A server under measurement: the real program as its own process. */
export interface Running {
  port: number;
  startMs: number;
  memoryMiB(): number;
  peakMiB(): number;
  /** Processor time used so far: what a busy machine does not change. */
  cpuSeconds(): number;
  /** What it has handed to the system to write, to disk or into a connection. */
  writtenBytes(): number;
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Whose code runs: the working directory's, or another commit's. */
  root?: string;
  /** As a person starts it, npm included. Memory and processor time are then those of npm. */
  isByNpm?: boolean;
  env?: NodeJS.ProcessEnv;
}

/** Starts `homeledger serve` on a ledger and waits for its first answer. */
export async function startHomeledger(ledger: BenchLedger, options: StartOptions = {}): Promise<Running> {
  const { root = '.', isByNpm = false, env = {} } = options;
  const port = await freePort();
  const [program, ...given] = isByNpm ? ['npm', 'start', '--silent'] : ['sh', 'src/launch.sh', 'serve'];
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((one) => !one.endsWith('node_modules/.bin'));
  const started = performance.now();
  const child = spawn(program, given, {
    cwd: root,
    env: {
      ...process.env,
      ...environmentOf(ledger),
      PORT: String(port),
      API_RATE_LIMIT_RPM: '1000000',
      API_RATE_LIMIT_BURST: '1000000',
      LOG_LEVEL: 'error',
      ...(isByNpm ? { PATH: path.join(delimiter) } : {}),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-LOG_TAIL_CHARS);
  });
  endWith(child);
  await firstAnswer(child, port, () => log);
  return running(child, port, performance.now() - started);
}

/**
 * Half a minute after its last work, V8 gives back what the first seconds of a start took: the check of the database, and
 * the look at the sources of the dashboard.
 */
export function untilIdle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, IDLE_AFTER_MS));
}

/** Asks until somebody answers: what a person or a supervisor would see, whatever the log says. */
async function firstAnswer(child: ChildProcess, port: number, log: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}: ${log()}`);
    const answer = await call({ port }, '/health').catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, KNOCK_EVERY_MS));
  }
}

export async function startBare(
  file: string,
  statement: string,
  parameters: readonly unknown[],
  tail: string,
): Promise<Running> {
  const started = performance.now();
  const child = spawn(process.execPath, ['bench/bare-server.ts', file, statement, JSON.stringify(parameters), tail], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWith(child);
  const port = await new Promise<number>((resolve) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
  });
  return running(child, port, performance.now() - started);
}

/** No server outlives the bench, however that ends. */
function endWith(child: ChildProcess): void {
  const end = (): void => {
    child.kill('SIGTERM');
  };
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}

function running(child: ChildProcess, port: number, startMs: number): Running {
  const status = (name: string): number => {
    const line = new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
    return Number(line?.[1] ?? Number.NaN) / 1024;
  };
  return {
    port,
    startMs,
    memoryMiB: () => status('VmRSS'),
    peakMiB: () => status('VmHWM'),
    cpuSeconds: () => processorSeconds(child.pid ?? 0),
    writtenBytes: () => Number(/wchar: (\d+)/.exec(readFileSync(`/proc/${child.pid}/io`, 'utf8'))?.[1] ?? Number.NaN),
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

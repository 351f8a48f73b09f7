import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** A server under measurement: the real program as its own process. */
export interface Running {
  port: number;
  process: ChildProcess;
  startMs: number;
  memoryMiB(): number;
  peakMiB(): number;
  /** Processor time used so far: what a busy machine does not change. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/** Starts `homeledger serve` on a data directory and waits for its first answer. */
export async function startHomeledger(dataDir: string, env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--max-semi-space-size=2', '--v8-pool-size=2', 'src/start.js', 'serve'], {
    env: {
      ...process.env,
      PORT: '0',
      HOMELEDGER_DATA_DIR: dataDir,
      API_RATE_LIMIT_RPM: '1000000',
      API_RATE_LIMIT_BURST: '1000000',
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /listens on http:\/\/[^:]+:(\d+)/.exec(text);
      if (found) resolve(Number(found[1]));
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${text}`)));
  });
  const answer = await fetch(`http://127.0.0.1:${port}/health`);
  await answer.arrayBuffer();
  return running(child, port, performance.now() - started);
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
  const port = await new Promise<number>((resolve) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
  });
  return running(child, port, performance.now() - started);
}

function running(child: ChildProcess, port: number, startMs: number): Running {
  const status = (name: string): number => {
    const line = new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
    return Number(line?.[1] ?? Number.NaN) / 1024;
  };
  return {
    port,
    process: child,
    startMs,
    memoryMiB: () => status('VmRSS'),
    peakMiB: () => status('VmHWM'),
    cpuSeconds() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

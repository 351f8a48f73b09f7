import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

import { below, type Budget } from './budgets.ts';
import { withCopy } from './copy.ts';
import type { BenchLedger } from './ledgers.ts';
import type { BenchPostgres } from './postgres.ts';
import { call, percentiles, post, type Target } from './load.ts';
import { startHomeledger, type Running } from './server.ts';
import { ms, took, type Note } from './table.ts';

const SMALL = '/api/v1/keys/me';
const PROBE_EVERY_MS = 5;
const IDLE_MS = 20_000;
const MANY = 200;
const SETTLE_MS = 1_500;

interface Log {
  status: string;
  added_count: number;
  unchanged_count: number;
  error_code: string | null;
}

/** A bank with 100,000 transactions behind the simulator, which is a process of its own; then 200 banks at rest. */
export async function syncing(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  const banks = await startBanks('large');
  try {
    await withCopy(ledger, postgres, async (copy) => {
      const server = await startHomeledger(copy, { env: banks.env });
      const target: Target = { port: server.port, key: copy.key };
      try {
        await syncLarge(server, target, banks.url, note);
        await restWithMany(server, target, banks.url, note);
      } finally {
        await server.stop();
      }
    });
  } finally {
    banks.process.kill();
  }
}

async function syncLarge(server: Running, target: Target, bank: string, note: Note): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const idle = server.memoryMiB();
  const [made] = (await readJson<{ public_tokens: { token: string }[] }>(`${bank}/_control/state`)).public_tokens;
  if (!made) throw new Error('The large world has no bank.');
  let id = '';
  const first = { name: 'first sync of 100,000 transactions', budget: below(12, 's') };
  await measure(server, target, note, first, async () => {
    id = await link(target, { public_token: made.token });
    return untilDone(target, id, 1);
  });
  const above = server.peakMiB() - idle;
  note('memory above idle: first sync', null, `${above.toFixed(0)} MiB`, above);
  await measure(server, target, note, { name: 'sync with nothing new', budget: below(1, 's') }, async () => {
    await sendJson(target, `/api/v1/connections/${id}/sync`, {});
    return untilDone(target, id, 2);
  });
  await measure(server, target, note, { name: 'full sync of what is known', budget: null }, async () => {
    await sendJson(target, `/api/v1/connections/${id}/sync`, { full: true });
    return untilDone(target, id, 3);
  });
}

interface Case {
  name: string;
  budget: Budget | null;
}

/** Times some work, with small requests beside it. */
async function measure(
  server: Running,
  target: Target,
  note: Note,
  { name, budget }: Case,
  work: () => Promise<Log>,
): Promise<void> {
  const times: number[] = [];
  let isOver = false;
  const cpu = server.cpuSeconds();
  const start = performance.now();
  const running = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    times.push((await call(target, SMALL)).ms);
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
  }
  const log = await running;
  const seconds = (performance.now() - start) / 1_000;
  if (log.status !== 'success') throw new Error(`${name}: ${JSON.stringify(log)}`);
  const rows = `${log.added_count} added, ${log.unchanged_count} known`;
  const busy = server.cpuSeconds() - cpu;
  note(name, budget, `${took(seconds * 1_000)} (${busy.toFixed(1)} s processor; ${rows})`, seconds);
  const { p50, p99 } = percentiles(times);
  note(`simple GET during: ${name}`, below(50, 'ms p99'), `p50 ${ms(p50)}, p99 ${ms(p99)}`, p99);
}

/** What 200 connections cost while nothing is due: processor time and memory, beside those of one. */
async function restWithMany(server: Running, target: Target, bank: string, note: Note): Promise<void> {
  const before = await restingCpu(server);
  const memory = server.memoryMiB();
  for (let at = 0; at < MANY; at += 1) {
    const item = await sendTo<BankItem>(`${bank}/_control/items`, {
      institution_id: `ins_many_${at}`,
      institution_name: `Bank ${at}`,
    });
    const id = await link(target, item);
    await untilDone(target, id, 1);
  }
  const after = await restingCpu(server);
  note('processor at rest, 1 connection', null, `${(before * 100).toFixed(2)} %`, before);
  note(`processor at rest, ${MANY} connections`, null, `${(after * 100).toFixed(2)} %`, after);
  note(`memory of ${MANY} connections at rest`, null, `${(server.memoryMiB() - memory).toFixed(0)} MiB`);
}

/** The part of one processor that the server uses while nobody asks it for anything. */
async function restingCpu(server: Running): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const cpu = server.cpuSeconds();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  return (server.cpuSeconds() - cpu) / (IDLE_MS / 1_000);
}

interface BankItem {
  public_token: string;
  institution_id?: string;
  institution_name?: string;
}

async function link(target: Target, item: BankItem): Promise<string> {
  const users = await get<{ id: string }[]>(target, '/api/v1/users');
  const made = await sendJson<{ id: string }>(target, '/api/v1/connections', {
    provider: 'plaid',
    user_id: users[0]?.id,
    credentials: {
      public_token: item.public_token,
      institution_id: item.institution_id ?? 'ins_109508',
      institution_name: item.institution_name ?? 'First Platypus Bank',
    },
    allow_duplicate: true,
  });
  return made.id;
}

/** The newest log of a connection once that many of its syncs have ended. */
async function untilDone(target: Target, connectionId: string, count: number): Promise<Log> {
  for (;;) {
    const { sync_logs: logs } = await get<{ sync_logs: Log[] }>(
      target,
      `/api/v1/sync/logs?connection_id=${connectionId}`,
    );
    const [newest] = logs;
    if (newest && logs.length >= count && newest.status !== 'in_progress') return newest;
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS * 2));
  }
}

async function get<T>(target: Target, path: string): Promise<T> {
  return JSON.parse((await call(target, path)).body.toString()) as T;
}

async function sendJson<T>(target: Target, path: string, body: object): Promise<T> {
  const answer = await post(target, path, 'application/json', Buffer.from(JSON.stringify(body)));
  if (answer.status >= 300) throw new Error(`${path}: ${answer.body.toString().slice(0, 500)}`);
  return JSON.parse(answer.body.toString()) as T;
}

async function readJson<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}

async function sendTo<T>(url: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return (await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as T;
}

interface Banks {
  url: string;
  env: Record<string, string>;
  process: ChildProcess;
}

/** The simulators as a process of their own, so that their work is not counted as the server's. */
async function startBanks(world: string): Promise<Banks> {
  const child = spawn(process.execPath, ['simulators/serve.ts', '--world', world], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const env: Record<string, string> = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const at = line.indexOf('=');
    env[line.slice(0, at)] = line.slice(at + 1);
    if (line.startsWith('TELLER_WEBHOOK_SECRET=')) break;
  }
  return { url: env['PLAID_BASE_URL'] as string, env, process: child };
}

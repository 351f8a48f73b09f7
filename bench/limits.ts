import { LIMITS } from '../src/kernel/limits.ts';
import { atMost } from './budgets.ts';
import { withCopy } from './copy.ts';
import { csvFile } from './csv-file.ts';
import type { BenchLedger } from './ledgers.ts';
import { post, readJson, type Target } from './load.ts';
import type { BenchPostgres } from './postgres.ts';
import { startHomeledger, type Running } from './server.ts';
import { statementFiles } from './statement-files.ts';
import { took, type Note } from './table.ts';

const SETTLE_MS = 1_500;
const POLL_MS = 50;
const LARGEST_LEDGER = 10_000;
const TEXTS = 10_000;
const MIB = 1_048_576;

interface File {
  name: string;
  type: string;
  bytes: Buffer;
  /** A file whose rows are all known adds none. */
  added: number;
}

/**
 * Files with as many rows, or bytes, as one may have. What they cost does not depend on the ledger, so the smallest
 * will do. Each kind has a server of its own: a process never gives back its peak.
 */
export async function limits(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  if (ledger.transactions > LARGEST_LEDGER) return;
  const rows = LIMITS.importRecords;
  const csv = { type: 'text/csv', bytes: csvFile({ rows, seed: 7, texts: TEXTS }) };
  const size = `${(LIMITS.importFileBytes / MIB).toFixed(0)} MiB`;
  const kinds: File[][] = [
    [
      { ...csv, name: `import of ${rows.toLocaleString('en')} rows`, added: rows },
      { ...csv, name: 'the same rows again', added: 0 },
    ],
    ...statementFiles(LIMITS.importFileBytes).map(({ name, entries, bytes }): File[] => [
      { name: `import of ${size} ${name}`, type: 'application/octet-stream', bytes, added: entries },
    ]),
  ];
  for (const files of kinds) await withCopy(ledger, postgres, (copy) => importAll(copy, files, note));
}

async function importAll(copy: BenchLedger, files: readonly File[], note: Note): Promise<void> {
  const server = await startHomeledger(copy);
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const idle = server.memoryMiB();
    for (const file of files) await importOne(server, { port: server.port, key: copy.key }, file, idle, note);
  } finally {
    await server.stop();
  }
}

interface Made {
  id: string;
  status: string;
  counts: { added: number };
}

async function importOne(server: Running, target: Target, file: File, idle: number, note: Note): Promise<void> {
  const [user] = await readJson<{ id: string }[]>(target, '/api/v1/users');
  const start = performance.now();
  const path = `/api/v1/imports?user_id=${user?.id}&account_name=Largest`;
  const answer = await post(target, path, file.type, file.bytes);
  if (answer.status >= 300) throw new Error(`${file.name}: ${answer.body.toString().slice(0, 500)}`);
  let made = JSON.parse(answer.body.toString()) as Made;
  while (made.status === 'queued' || made.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    made = await readJson<Made>(target, `/api/v1/imports/${made.id}`);
  }
  if (made.counts.added !== file.added) throw new Error(`${file.name}: ${JSON.stringify(made).slice(0, 500)}`);
  note(file.name, null, took(performance.now() - start));
  const above = server.peakMiB() - idle;
  note(`memory above idle: ${file.name}`, atMost(150, 'MiB'), `${above.toFixed(0)} MiB`, above);
}

import { hostname } from 'node:os';

import type { BareWriteTx, Database, ReadTx } from '../../db/unit-of-work.ts';
import { bookkeep } from '../../journal/write.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';

const MAINTENANCE = 'maintenance:';
const SERVER = 'server:';
/** Such a lease ends with its holder, not with the time. */
const FOR_GOOD = '9999-12-31T23:59:59.999Z';

/** Who holds leases of a database in this process. */
const held = new WeakMap<Database, string>();

interface Lease {
  name: string;
  holder: string;
}

/**
 * Keeps servers and other commands away from the database until this process ends (contract 85.4).
 * @throws OperatorError naming whoever works on the database already
 */
export async function takeMaintenance(database: Database, command: string): Promise<void> {
  const holder = await database.presence();
  await bookkeep(database, async (tx) => {
    const [server, other] = [await findLive(tx, database, SERVER), await findLive(tx, database, MAINTENANCE)];
    if (server) {
      throw new OperatorError(
        `A server is running on this database (${shown(server, SERVER)}). Stop it before \`${command}\`.`,
      );
    }
    if (other) throw inMaintenance(other);
    await insert(tx, `${MAINTENANCE}${command}, ${processName()}`, holder);
  });
  held.set(database, holder);
}

/** @throws OperatorError while an exclusive command of another process works on the database */
export async function refuseDuringMaintenance(tx: ReadTx, database: Database, own?: string): Promise<void> {
  const other = await findLive(tx, database, MAINTENANCE);
  if (other && other.holder !== own) throw inMaintenance(other);
}

/** Lets exclusive commands see that a server is running. `check` runs in the same transaction. */
export async function announceServer(database: Database, check: (tx: ReadTx) => Promise<void>): Promise<void> {
  const holder = await database.presence();
  await bookkeep(database, async (tx) => {
    await refuseDuringMaintenance(tx, database);
    await check(tx);
    await removeStale(tx, database);
    await insert(tx, `${SERVER}${processName()}, ${holder}`, holder);
  });
  held.set(database, holder);
}

/** Whether a server works on this database, in this process or another. */
export async function isServerRunning(database: Database): Promise<boolean> {
  return database.read(async (tx) => (await findLive(tx, database, SERVER)) !== undefined);
}

/** Ends the leases of this process at once. Where the database is away, they end when it notices that the process has. */
export async function releaseLeases(database: Database): Promise<void> {
  const holder = held.get(database);
  if (holder === undefined) return;
  held.delete(database);
  try {
    await database.ping(LIMITS.readinessMs);
    await bookkeep(database, async (tx) => {
      for (const lease of [...(await select(tx, SERVER)), ...(await select(tx, MAINTENANCE))]) {
        if (lease.holder === holder) await tx.q.deleteFrom('leases').where('name', '=', lease.name).execute();
      }
    });
  } catch {
    // Closing must not wait for a database that is away.
  }
}

/** Ends every lease whose process is gone; with `onlyCount` it only counts them. */
export async function removeDeadLeases(database: Database, onlyCount = false): Promise<number> {
  const leases = await database.read(({ q }) => q.selectFrom('leases').select(['name', 'holder']).execute());
  const dead: Lease[] = [];
  for (const lease of leases) if (!(await database.isPresent(lease.holder))) dead.push(lease);
  if (onlyCount || dead.length === 0) return dead.length;
  await bookkeep(database, async (tx) => {
    for (const { name, holder } of dead) {
      await tx.q.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
    }
  });
  return dead.length;
}

async function findLive(tx: ReadTx, database: Database, prefix: string): Promise<Lease | undefined> {
  for (const lease of await select(tx, prefix)) {
    if (await database.isPresent(lease.holder)) return lease;
  }
  return undefined;
}

async function removeStale(tx: BareWriteTx, database: Database): Promise<void> {
  for (const { name, holder } of [...(await select(tx, SERVER)), ...(await select(tx, MAINTENANCE))]) {
    if (await database.isPresent(holder)) continue;
    await tx.q.deleteFrom('leases').where('name', '=', name).execute();
  }
}

async function select(tx: ReadTx, prefix: string): Promise<Lease[]> {
  return tx.q.selectFrom('leases').select(['name', 'holder']).where('name', 'like', `${prefix}%`).execute();
}

async function insert(tx: BareWriteTx, name: string, holder: string): Promise<void> {
  await tx.q
    .insertInto('leases')
    .values({ name, holder, expires_at: FOR_GOOD })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ holder }))
    .execute();
}

function processName(): string {
  return `process ${process.pid} on ${hostname()}`;
}

function inMaintenance(lease: Lease): OperatorError {
  return new OperatorError(
    `Another command is working on this database (${shown(lease, MAINTENANCE)}). Try again when it has finished.`,
  );
}

function shown({ name, holder }: Lease, prefix: string): string {
  return name.slice(prefix.length).replace(`, ${holder}`, '');
}

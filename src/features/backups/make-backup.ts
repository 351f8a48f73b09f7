import { createHash } from 'node:crypto';
import { createReadStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { Encrypter } from 'age-encryption';

import { programVersion } from '../../db/migrate.ts';
import { bookkeep } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { AppError, OperatorError } from '../../kernel/errors.ts';
import { keysAtHand } from '../encryption/index.ts';
import type { Instance } from '../handler.ts';
import { FORM, FORM_VERSION, type BackupHeader, type BackupManifest } from './backup-format.ts';
import { removeUnfinished, writeRecord } from './backup-files.ts';
import { installationId, requirePlace } from './backup-place.ts';
import type { BackupKind, BackupRecord, Lock, MadeBackup } from './backup-record.ts';
import { fillLedger, openScratch, removeLeftScratch, type ScratchLedger } from './scratch-ledger.ts';
import { isVerified, verifyLedger } from './verify-ledger.ts';
import { writeBackup } from './write-backup.ts';

export interface BackupWish {
  kind: BackupKind;
  lock: Lock;
  /** A file that is not there yet, in place of one in the backup directory. */
  out?: string | undefined;
  onProgress?: ((percent: number) => void) | undefined;
  signal?: AbortSignal | undefined;
  id?: string | undefined;
}

const LEASE = 'backup';
const FOR_GOOD = '9999-12-31T23:59:59.999Z';

/**
 * Makes a backup of the ledger as it is now and proves it (contract 85.4). Only a file that was restored into a scratch
 * ledger and read again gets its name. @throws UNAVAILABLE without room or place, CONFLICT while another is made
 */
export async function makeBackup(instance: Instance, wish: BackupWish): Promise<MadeBackup> {
  const { database, config } = instance;
  const { out } = wish;
  const place = await requirePlace(instance, out === undefined ? undefined : dirname(resolve(out)));
  const maker = await database.presence();
  await takeLease(instance, maker);
  try {
    await removeUnfinished(instance);
    await removeLeftScratch(config.dataDir, (owner) => database.isPresent(owner));
    const started = newRecord(instance, wish);
    const path = out === undefined ? freePath(place, started, wish.kind) : resolve(out);
    if (existsSync(path)) throw new OperatorError(`${path} exists already. Name a file that does not.`);
    started.name = out === undefined ? path.slice(place.length + 1) : path;
    return await make(instance, wish, { started, path, maker, household: await installationId(instance) });
  } finally {
    await bookkeep(database, (tx) =>
      tx.q.deleteFrom('leases').where('name', '=', LEASE).where('holder', '=', maker).execute(),
    );
  }
}

interface Making {
  started: BackupRecord;
  path: string;
  maker: string;
  household: string;
}

async function make(instance: Instance, wish: BackupWish, making: Making): Promise<MadeBackup> {
  const { started, path, maker, household } = making;
  const owner = { installation_id: household, maker };
  const keep = (record: BackupRecord): void => {
    if (wish.out === undefined) writeRecord(path, record, owner);
  };
  keep(started);
  // Elsewhere, a file of that name may be somebody's.
  const part = wish.out === undefined ? `${path}.part` : `${path}.${started.short_id}.part`;
  let scratch: ScratchLedger | undefined;
  try {
    // Only a process that died has left one.
    rmSync(part, { force: true });
    scratch = await openScratch(instance.config.dataDir, maker, instance);
    const { sha256, manifest } = await writeProved(instance, wish, { part, scratch, started, household });
    instance.failpoint('backup:written');
    await prove(scratch, manifest);
    if ((await sha256OfFile(part)) !== sha256) throw new Error('The file on the disk is not what was written to it.');
    wish.signal?.throwIfAborted();
    const now = instantNow(instance.clock);
    if (existsSync(path)) throw new OperatorError(`${path} exists already. Name a file that does not.`);
    renameSync(part, path);
    instance.failpoint('backup:named');
    const size_bytes = statSync(path).size;
    const done = { sha256, size_bytes, verified_at: now, completed_at: now, progress: null };
    const record: BackupRecord = { ...started, ...done, status: 'complete' };
    keep(record);
    return { record, path, rows: manifest.rows };
  } catch (error) {
    rmSync(part, { force: true });
    // On a full disk, the record may not fit either.
    try {
      keep({ ...started, status: 'error', progress: null, error_message: reasonOf(error) });
    } catch {
      instance.logger.error('The record of a failed backup could not be written.');
    }
    throw error;
  } finally {
    await scratch?.discard();
  }
}

interface Written {
  sha256: string;
  manifest: BackupManifest;
}

/** Writes the file and, with the same bytes before they are encrypted, a scratch ledger. */
async function writeProved(
  instance: Instance,
  wish: BackupWish,
  {
    part,
    scratch,
    started,
    household,
  }: Pick<Making, 'started' | 'household'> & { part: string; scratch: ScratchLedger },
): Promise<Written> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const toProof = writable.getWriter();
  let failure: unknown;
  const proof = fillLedger(scratch.database, readable, null).catch(async (error: unknown) => {
    failure = error;
    await readable.cancel(error).catch(() => toProof.abort(error));
  });
  let manifest: BackupManifest | undefined;
  const plain = instance.database.read(async (tx) => {
    const source = writeBackup(tx, {
      header: headerOf(instance, wish, { started, household }),
      keys: wish.lock && 'recipients' in wish.lock ? ownKeys(instance) : null,
      onProgress: wish.onProgress,
      signal: wish.signal,
    });
    async function* tee(): AsyncGenerator<Uint8Array> {
      for (;;) {
        const next = await source.next();
        if (next.done === true) {
          manifest = next.value;
          await toProof.close();
          return;
        }
        await toProof.write(next.value);
        yield next.value;
      }
    }
    return writeFile(part, wish.lock ? await encrypted(tee(), wish.lock) : tee());
  });
  try {
    const sha256 = await plain;
    await proof;
    if (failure !== undefined || !manifest) throw failure;
    return { sha256, manifest };
  } catch (error) {
    await toProof.abort(error).catch(() => undefined);
    await proof;
    throw failure ?? error;
  }
}

async function encrypted(
  plain: AsyncIterable<Uint8Array>,
  lock: NonNullable<Lock>,
): Promise<AsyncIterable<Uint8Array>> {
  const encrypter = new Encrypter();
  if ('passphrase' in lock) encrypter.setPassphrase(lock.passphrase);
  else for (const recipient of lock.recipients) encrypter.addRecipient(recipient);
  return encrypter.encrypt(ReadableStream.from<Uint8Array>(plain));
}

async function writeFile(path: string, stream: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const bytes of stream) {
      hash.update(bytes);
      await file.writeFile(bytes);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

async function prove({ database }: ScratchLedger, { rows, sums }: BackupManifest): Promise<void> {
  const checks = await database.read((tx) => verifyLedger(tx, { expected: { rows, sums } }));
  if (isVerified(checks)) return;
  const reasons = checks.filter(({ status }) => status === 'fail').map(({ message }) => message);
  throw new Error(`The backup was restored for a proof and is not whole. ${reasons.join(' ')}`);
}

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

/** Two servers of one database make one backup. A lease ends with its process. */
async function takeLease({ database }: Instance, maker: string): Promise<void> {
  const held = await database.read((tx) =>
    tx.q.selectFrom('leases').select('holder').where('name', '=', LEASE).executeTakeFirst(),
  );
  const isFree = held !== undefined && held.holder !== maker && !(await database.isPresent(held.holder));
  const taken = await bookkeep(database, async (tx) => {
    if (isFree) {
      await tx.q.deleteFrom('leases').where('name', '=', LEASE).where('holder', '=', held.holder).execute();
    }
    const lease = { name: LEASE, holder: maker, expires_at: FOR_GOOD };
    const added = await tx.q
      .insertInto('leases')
      .values(lease)
      .onConflict((on) => on.doNothing())
      .executeTakeFirst();
    return Number(added.numInsertedOrUpdatedRows ?? 0) > 0;
  });
  if (!taken) throw new AppError('CONFLICT', 'A backup is being made. Wait until it is complete.');
}

/** Every key that secrets in the ledger may need, the current one first. */
function ownKeys({ masterKey, config }: Instance): Uint8Array[] {
  const all = [masterKey, ...keysAtHand(config.dataDir)].map((key) => Buffer.from(key).toString('hex'));
  return [...new Set(all)].map((hex) => new Uint8Array(Buffer.from(hex, 'hex')));
}

function headerOf(
  instance: Instance,
  wish: BackupWish,
  { started, household }: Pick<Making, 'started' | 'household'>,
): BackupHeader {
  return {
    form: FORM,
    form_version: FORM_VERSION,
    program_version: instance.version,
    schema_version: programVersion(),
    installation_id: household,
    kind: wish.kind,
    created_at: String(started.created_at),
  };
}

function newRecord(instance: Instance, { kind, lock, id: given }: BackupWish): BackupRecord {
  const id = given ?? instance.ids.uuid();
  return {
    id,
    short_id: instance.ids.shortId(),
    name: '',
    kind,
    status: 'in_progress',
    size_bytes: null,
    sha256: null,
    encrypted: lock !== null,
    recipients: lock && 'recipients' in lock ? lock.recipients : [],
    program_version: instance.version,
    schema_version: programVersion(),
    error_message: null,
    verified_at: null,
    last_check: null,
    progress: 0,
    created_at: instantNow(instance.clock),
    completed_at: null,
  };
}

/** A name by the second; of more than one in a second, with a number. */
function freePath(place: string, { created_at: at }: BackupRecord, kind: BackupKind): string {
  const stamp = String(at).slice(0, 19).replaceAll('-', '').replaceAll(':', '').replace('T', '-');
  for (let number = 1; ; number += 1) {
    const path = join(place, `homeledger-${stamp}${number === 1 ? '' : `-${number}`}-${kind}.hlb`);
    if (!existsSync(path) && !existsSync(`${path}.json`)) return path;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import type pg from 'pg';

import { LIMITS } from '../../kernel/limits.ts';
import { askOnce, destroy } from './postgres-pool.ts';

/** What was sent to the server, or its answer, is lost on the way, although the connection looks open. */
export class SilentConnection extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('A connection to the database went silent during a write.');
  }
}

/** The server's side of a transaction, which a pooler may run in any session. */
const WHO = 'select pg_backend_pid() as pid, extract(epoch from now())::text as began';
const OURS = 'from pg_stat_activity where pid = $1 and extract(epoch from xact_start)::text = $2';
/** A server that sends to us, or waits for us, does not work on what we wait for. */
const LOOK = `select 1 ${OURS} and state = 'active' and wait_event_type is distinct from 'Client'`;
const END = `select pg_terminate_backend(pid) ${OURS}`;
/** Two looks at a server that has nothing to do for us, or as many without an answer. */
const DOUBTS = 6;
const IDLE_DOUBTS = 3;

interface WriteTurnOptions {
  pool: pg.Pool;
  client: pg.ClientBase;
  /** Called when a connection is found silent, and must not be used again. */
  onSilent: (error: SilentConnection) => void;
}

/**
 * Waits for the server's answers during one write. How long a statement may take is not known, so a late answer is asked
 * after: over another connection, whether the server still works on it. If not, the turn ends, and so does the server's
 * side of it, which would keep the lock.
 */
export class WriteTurn {
  readonly #options: WriteTurnOptions;
  #who: { pid: number; began: string } | undefined;
  #isDoubtful = false;

  constructor(options: WriteTurnOptions) {
    this.#options = options;
  }

  /** Whether an answer is late and the server does not seem to work on it. */
  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  /** Begins the transaction and waits for the lock, which others may hold for long. @throws SilentConnection */
  async begin(begin: string, lock: string): Promise<void> {
    const { client } = this.#options;
    const begun = client.query<{ pid: number; began: string }>(`${begin}; ${WHO}`);
    const locked = client.query(lock);
    locked.catch(() => undefined);
    // Several statements have several answers; the types know one.
    const answers = [await this.answered(begun)].flat();
    this.#who = answers.at(-1)?.rows[0];
    await this.answered(locked);
  }

  /** @throws SilentConnection, or what the query throws */
  async answered<T>(answer: Promise<T>): Promise<T> {
    answer.catch(() => undefined);
    for (let doubts = 0; await isLate(answer, LIMITS.writeSilentMs);) {
      const isAtWork = await this.#look();
      doubts = isAtWork === true ? 0 : doubts + (isAtWork === false ? IDLE_DOUBTS : 1);
      this.#isDoubtful = doubts > 0;
      if (doubts >= DOUBTS && (await isLate(answer, 0))) await this.#giveUp();
    }
    this.#isDoubtful = false;
    return answer;
  }

  /** undefined if the server does not say. */
  async #look(): Promise<boolean | undefined> {
    if (!this.#who) return false;
    const found = await this.#askElsewhere(LOOK);
    return found && found.rows.length > 0;
  }

  async #giveUp(): Promise<never> {
    const { client, onSilent } = this.#options;
    const error = new SilentConnection();
    onSilent(error);
    destroy(client);
    if (this.#who) await this.#askElsewhere(END);
    throw error;
  }

  async #askElsewhere(text: string): Promise<pg.QueryResult | undefined> {
    const { pid, began } = this.#who as { pid: number; began: string };
    return askOnce(this.#options.pool, { text, values: [pid, began] }, LIMITS.databaseLookMs).catch(() => undefined);
  }
}

async function isLate(answer: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), ms);
  });
  const here = answer.then(
    () => false,
    () => false,
  );
  return Promise.race([here, late]).finally(() => clearTimeout(timer));
}

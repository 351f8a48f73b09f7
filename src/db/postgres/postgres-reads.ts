import type pg from 'pg';

import { AppError } from '../../kernel/errors.ts';
import { LostPlan, orUnavailable } from '../unavailable.ts';
import type { PlannedStatements } from './planned-statements.ts';

/** A query as it is sent; rows come as objects, or as arrays. */
export type Asked = pg.QueryConfig & { rowMode?: 'array' };

/** What a transaction sends its queries through. */
export type Ask = (asked: Asked) => Promise<pg.QueryResult>;

export interface Connections {
  readonly planned: PlannedStatements;
  /** Those that must not be used again. */
  readonly broken: WeakSet<pg.ClientBase>;
  /** How many may have broken while they were idle. */
  readonly size: number;
  /** @throws UNAVAILABLE */
  connect(): Promise<pg.PoolClient>;
}

/** Sends one query, planned once per connection where that is safe. @throws LostPlan */
export async function askPlanned(
  { planned, broken }: Pick<Connections, 'planned' | 'broken'>,
  client: pg.ClientBase,
  asked: Asked,
): Promise<pg.QueryResult> {
  const name = planned.nameOf(asked.text);
  if (name === undefined) return client.query(asked);
  return client.query({ ...asked, name }).catch((error: Error) => {
    if (!planned.isLost(error)) throw error;
    broken.add(client);
    throw new LostPlan(error);
  });
}

/**
 * A read that costs no round trip of its own: it begins together with its first query, and nobody waits for its end.
 * Without `begin` it is one query, which needs no transaction.
 */
export class ReadSession {
  readonly #connections: Connections;
  readonly #begin: string | null;
  #client: pg.PoolClient | undefined;
  #opening: Promise<pg.QueryResult> | undefined;

  constructor(connections: Connections, begin: string | null) {
    this.#connections = connections;
    this.#begin = begin;
  }

  async ask(asked: Asked): Promise<pg.QueryResult> {
    if (!this.#opening) {
      this.#opening = this.#first(asked);
      return this.#opening;
    }
    if (this.#begin === null) throw new Error('A read of one query sent a second one.');
    await this.#opening;
    return askPlanned(this.#connections, this.#client as pg.PoolClient, asked);
  }

  /** What was read is correct, however its transaction ends. */
  end(): void {
    if (!this.#client) return;
    if (this.#begin !== null) this.#client.query('commit').catch(() => undefined);
    this.#client.release(this.#connections.broken.has(this.#client));
  }

  async fail(): Promise<void> {
    // A caller that does not wait for its query must not leave its connection behind.
    await this.#opening?.catch(() => undefined);
    const client = this.#client;
    if (!client) return;
    let failure: Error | undefined;
    if (this.#begin !== null) await client.query('rollback').catch((reason: Error) => (failure = reason));
    client.release(failure ?? this.#connections.broken.has(client));
  }

  /** A connection may have broken while it was idle. Nothing was done on it yet, so another one is used. */
  async #first(asked: Asked): Promise<pg.QueryResult> {
    for (let tries = 0; ; tries += 1) {
      const client = await this.#connections.connect();
      const begun = this.#begin === null ? undefined : client.query(this.#begin);
      const [beginning, answer] = await Promise.allSettled([begun, askPlanned(this.#connections, client, asked)]);
      if (beginning.status === 'fulfilled' && answer.status === 'fulfilled') {
        this.#client = client;
        return answer.value;
      }
      const isNothingDone = beginning.status === 'rejected' || begun === undefined;
      const error: unknown =
        beginning.status === 'rejected' ? beginning.reason : (answer as PromiseRejectedResult).reason;
      const isOther = !(orUnavailable(error) instanceof AppError) || !(isNothingDone || error instanceof LostPlan);
      if (isOther) this.#client = client;
      else client.release(true);
      if (isOther || tries === this.#connections.size) throw orUnavailable(error);
    }
  }
}

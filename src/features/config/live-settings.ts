import { setTimeout } from 'node:timers/promises';

import type { Database } from '../../db/unit-of-work.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Logger } from '../../kernel/logger.ts';
import { selectStored } from './config.queries.ts';

/** Settings for code that has no transaction: a request before its handler, the line at the start. */
export interface LiveSettings {
  /** The base URL of contract 20: the variable, else the setting, else null. Never throws. */
  baseUrl(): Promise<string | null>;
}

interface Parts {
  config: Config;
  database: Database;
  clock: Clock;
  logger: Logger;
  /** Counts the writes of settings by all threads of this process. */
  writes: SettingsWrites;
}

type Stored = ReadonlyMap<string, string>;

/**
 * Reads the settings again after every write in this process, and otherwise every two seconds, because another process
 * may have changed them. Where nobody asks, nothing is read.
 */
export function createLiveSettings({ config, database, clock, logger, writes }: Parts): LiveSettings {
  let known: { stored: Stored; at: number; seen: number } = { stored: new Map(), at: -Infinity, seen: -1 };
  let loading: { seen: number; done: Promise<Stored> } | undefined;

  function isFresh(seen: number): boolean {
    const age = clock.now() - known.at;
    return known.seen === seen && age >= 0 && age < LIMITS.configKnownMs;
  }

  async function load(seen: number): Promise<Stored> {
    const at = clock.now();
    try {
      const stored = await database.read(selectStored, 'one query');
      if (seen >= known.seen) known = { stored, at, seen };
      return stored;
    } catch (error) {
      logger.warn({ err: error }, 'The settings could not be read. The last known ones still apply.');
      return known.stored;
    } finally {
      if (loading?.seen === seen) loading = undefined;
    }
  }

  async function stored(): Promise<Stored> {
    const seen = writes.count();
    if (isFresh(seen)) return known.stored;
    // What began to be read before the last write may lack it.
    if (loading?.seen !== seen) loading = { seen, done: load(seen) };
    // A database that does not answer must not hold up what can be answered without it.
    return Promise.race([loading.done, setTimeout(LIMITS.configWaitMs, known.stored, { ref: false })]);
  }

  return {
    baseUrl: async () => config.baseUrl ?? (await stored()).get('public_base_url') ?? null,
  };
}

/** Shared by the threads of a process. */
export interface SettingsWrites {
  readonly shared: SharedArrayBuffer;
  /** Called with the names of the tables after each transaction that wrote any. */
  note(tables: ReadonlySet<string>): void;
  count(): number;
}

export function createSettingsWrites(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)): SettingsWrites {
  const counter = new Int32Array(shared);
  return {
    shared,
    note(tables) {
      if (tables.has('config_entries')) Atomics.add(counter, 0, 1);
    },
    count: () => Atomics.load(counter, 0),
  };
}

import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import { isEqualJson, withoutUndefined } from '../../kernel/json.ts';
import { remove, selectStored, store } from './config.queries.ts';

/** Settings that have an endpoint of their own, such as those of agents (contract 20.13). */
export interface SettingGroup<T extends Readonly<Record<string, unknown>>> {
  /** All values, with the default of each that is not stored. */
  read(tx: ReadTx): Promise<T>;
  /** Changes these values together; undefined leaves one as it is. Returns all of them. */
  change(tx: WriteTx, patch: { readonly [K in keyof T]?: T[K] | undefined }): Promise<T>;
}

/** Values are stored as JSON below `name`, such as `mcp.mode`. They cannot be reverted, like all settings. */
export function defineSettingGroup<T extends Readonly<Record<string, unknown>>>(
  name: string,
  schema: z.ZodType<T>,
  defaults: T,
): SettingGroup<T> {
  const fields = Object.keys(defaults) as (keyof T & string)[];

  async function read(tx: ReadTx): Promise<T> {
    const stored = await selectStored(tx);
    const values = fields.flatMap((field) => {
      const value = stored.get(`${name}.${field}`);
      return value === undefined ? [] : [[field, JSON.parse(value) as unknown] as const];
    });
    return schema.parse({ ...defaults, ...Object.fromEntries(values) });
  }

  return {
    read,
    async change(tx, patch) {
      const before = await read(tx);
      const after = { ...before, ...withoutUndefined(patch) };
      const changed = fields.filter((field) => !isEqualJson(before[field], after[field]));
      for (const field of changed) {
        if (isEqualJson(after[field], defaults[field])) await remove(tx, `${name}.${field}`);
        else await store(tx, `${name}.${field}`, JSON.stringify(after[field]));
      }
      if (changed.length === 0) return before;
      const named = (from: T): Record<string, unknown> =>
        Object.fromEntries(changed.map((field) => [`${name}.${field}`, from[field]]));
      const recorded = { before: named(before), after: named(after) };
      journalOf('setting').changed(tx, { id: null, short_id: null }, recorded, { revertible: false });
      return after;
    },
  };
}

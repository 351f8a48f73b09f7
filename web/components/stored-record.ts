import { useEffect, useMemo, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

import { ApiError } from '../api/client.ts';
import type { KnownRecord } from '../api/queries.ts';
import { isSame, mergeFields, type FieldConflicts } from './merge-fields.ts';

/** The state of a record that a form shows, and its ETag. */
export interface Stored<T> {
  values: T;
  etag: string | null;
}

/** The record that a form is about: nothing is saved over a state of it that the person has not seen. */
export interface StoredRecord<T> extends Stored<T> {
  reread: () => Promise<Stored<T>>;
}

/** A record as a page has read it (`useApiRecord`), and the way to read it again. */
export interface ReadRecord<R> {
  known: KnownRecord<R>;
  reread: () => Promise<KnownRecord<R>>;
}

/** A record in the fields of a form. */
export function inFields<R, T>({ known, reread }: ReadRecord<R>, fieldsOf: (record: R) => T): StoredRecord<T> {
  const stored = ({ value, etag }: KnownRecord<R>): Stored<T> => ({ values: fieldsOf(value), etag });
  return { ...stored(known), reread: async () => stored(await reread()) };
}

/** The same record, and what was last read of it: for a body that is made from more than the fields of the form. */
export function useLatest<R>({ known, reread }: ReadRecord<R>): ReadRecord<R> & { latest: () => R } {
  const read = useRef(known);
  useEffect(() => {
    read.current = known;
  }, [known]);
  return useMemo(
    () => ({
      known,
      reread: async () => (read.current = await reread()),
      latest: () => read.current.value,
    }),
    [known, reread],
  );
}

/** The record has changed since the form was filled: said by whoever compares what has no ETag of its own. */
export class Stale extends Error {}

/** As often as others may save other fields between reading and writing again. */
const ATTEMPTS = 5;

/** A field was changed on both sides: the form shows both values, and nothing is sent. */
export class Undecided extends Error {}

interface Guarded<T> {
  conflicts: FieldConflicts;
  choose: (name: string, value: unknown) => void;
  /** Sends the values with the ETag they were made from; what others saved meanwhile is taken over first. */
  save: (values: T, send: (values: T, ifMatch: string | undefined) => Promise<unknown>) => Promise<T>;
}

/** Guards a form against overwriting what somebody else saves meanwhile (contract 80.1, Forms). */
export function useStoredRecord<T extends FieldValues>(
  form: UseFormReturn<T>,
  record: StoredRecord<T> | undefined,
): Guarded<T> {
  const base = useBase(form, record);
  const [conflicts, setConflicts] = useState<FieldConflicts>({});
  const { reset } = form;

  async function save(values: T, send: (values: T, ifMatch: string | undefined) => Promise<unknown>): Promise<T> {
    if (Object.keys(conflicts).length > 0) throw new Undecided();
    let wanted = values;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await send(wanted, base.get()?.etag ?? undefined);
        base.noteSaved(wanted);
        return wanted;
      } catch (error) {
        if (!record || !isStale(error) || attempt === ATTEMPTS) throw error;
        wanted = takeOver(wanted, await record.reread());
      }
    }
  }

  /** @throws Undecided, once both values are shown, if a field was changed on both sides */
  function takeOver(mine: T, now: Stored<T>): T {
    const { values, conflicts: found } = mergeFields(base.get()?.values ?? {}, mine, now.values);
    base.set(now);
    reset(now.values);
    for (const [name, value] of Object.entries(values)) {
      if (!isSame(value, now.values[name])) form.setValue(name as never, value as never, { shouldDirty: true });
    }
    setConflicts(found);
    const [first] = Object.keys(found);
    if (first === undefined) return values as T;
    form.setFocus(first as never);
    throw new Undecided();
  }

  function choose(name: string, value: unknown): void {
    form.setValue(name as never, value as never, { shouldDirty: true });
    setConflicts(({ [name]: _decided, ...others }) => others);
    form.setFocus(name as never);
  }
  return { conflicts, choose, save };
}

interface Base<T> {
  get: () => Stored<T> | undefined;
  set: (stored: Stored<T>) => void;
  /** Own changes are not those of others: the record as it is read after them is the next base. */
  noteSaved: (values: T) => void;
}

/**
 * What the form was filled from. Fields that were not touched follow the record; the others are compared, once they are
 * saved, with the state they were made from.
 */
function useBase<T extends FieldValues>(form: UseFormReturn<T>, record: StoredRecord<T> | undefined): Base<T> {
  const base = useRef<Stored<T> | undefined>(record);
  const seen = useRef(record?.etag);
  const { isDirty } = form.formState;
  const { reset, getValues } = form;
  useEffect(() => {
    if (!record || record.etag === seen.current) return;
    seen.current = record.etag;
    const from = base.current;
    if (record.etag === from?.etag) return;
    if (!isDirty) {
      base.current = record;
      reset(record.values);
      return;
    }
    base.current = {
      values: { ...record.values, ...changedSince(from?.values, getValues()) },
      etag: from?.etag ?? null,
    };
    reset(record.values, { keepDirty: true, keepDirtyValues: true });
  }, [record, isDirty, reset, getValues]);
  return {
    get: () => base.current,
    set: (stored) => {
      base.current = stored;
    },
    noteSaved: (values) => {
      base.current = { values, etag: base.current?.etag ?? null };
      seen.current = undefined;
    },
  };
}

/** Of the former values those of fields that have others now. */
function changedSince<T extends FieldValues>(former: T | undefined, now: T): Partial<T> {
  const changed = Object.entries(former ?? {}).filter(([name, value]) => !isSame(now[name], value));
  return Object.fromEntries(changed) as Partial<T>;
}

function isStale(error: unknown): boolean {
  return error instanceof Stale || (error instanceof ApiError && error.status === 412);
}

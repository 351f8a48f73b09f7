import type { CallOf } from '../../../src/contract/operation.ts';
import type { listChangeSets } from '../../../src/features/change-sets/change-sets.contract.ts';
import type { ChangeSet } from '../../components/changes/change-set-words.ts';
import { addDays, dayIn, startOfDay } from '../../lib/days.ts';

/** The filters as the API takes them. */
export type Asked = Omit<NonNullable<CallOf<typeof listChangeSets>['query']>, 'limit' | 'cursor'>;

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Days in the address are those of the household, and the last one is included; an instant is sent as it is. */
export function inAsked(values: Readonly<Record<string, string | undefined>>, timezone: string): Asked {
  const { from, to, ...rest } = values;
  const range = {
    from: from !== undefined && DAY.test(from) ? startOfDay(timezone, from) : from,
    to: to !== undefined && DAY.test(to) ? startOfDay(timezone, addDays(to, 1)) : to,
  };
  return Object.fromEntries(Object.entries({ ...rest, ...range }).filter(([, value]) => value !== undefined));
}

/** In the order in which they come, newest first. */
export function byDay(sets: readonly ChangeSet[], timezone: string): [day: string, sets: ChangeSet[]][] {
  return [...Map.groupBy(sets, ({ created_at: at }) => dayIn(timezone, at))];
}

export type Entry = readonly [ChangeSet, ...ChangeSet[]];

/** Syncs that follow each other belong together; anything else stands by itself. */
export function entriesOf(sets: readonly ChangeSet[]): Entry[] {
  const entries: [ChangeSet, ...ChangeSet[]][] = [];
  for (const set of sets) {
    const last = entries.at(-1);
    if (last && isSync(set) && isSync(last[0])) last.push(set);
    else entries.push([set]);
  }
  return entries;
}

function isSync({ source }: ChangeSet): boolean {
  return source === 'sync';
}

import { sql } from 'kysely';

import type { InputOf } from '../../contract/operation.ts';
import { HOUR_MS, instantAfter } from '../../kernel/dates.ts';
import { fold } from '../../kernel/fold.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { findAccount } from '../accounts/index.ts';
import { actorOf, type WriteContext } from '../handler.ts';
import type { createTransaction } from './transaction-create.contract.ts';

type Wanted = InputOf<typeof createTransaction>['body'];

interface Added {
  id: string;
  account_id: string;
  date: string;
  amount_cents: number;
  iso_currency_code: string | null;
  name: string;
}

/**
 * For each row that the caller wants to add, the UUID of one that it added by hand within a day, or null: an agent whose
 * answer was lost says it again (contract 70.2). Equal rows of one call are as many, so each is found once.
 */
export async function addedBefore(context: WriteContext, wanted: readonly Wanted[]): Promise<(string | null)[]> {
  const { tx } = context;
  const stored = await selectAdded(context, [...new Set(wanted.map(({ date }) => date))]);
  const byKey = Map.groupBy(stored, keyOf);
  const found: (string | null)[] = [];
  for (const { account_id: anyId, amount, iso_currency_code: code, ...one } of wanted) {
    const account = await findAccount(tx, anyId);
    const key = account && {
      ...one,
      account_id: account.id,
      amount_cents: amount,
      iso_currency_code: code ?? account.iso_currency_code,
    };
    found.push((key && byKey.get(keyOf(key))?.shift()?.id) ?? null);
  }
  return found;
}

function keyOf({ account_id, date, amount_cents, iso_currency_code, name }: Omit<Added, 'id'>): string {
  return JSON.stringify([account_id, date, amount_cents, iso_currency_code, fold(name)]);
}

/** Rows of these days that the caller added by hand, itself, by its plan so far, or by a plan that was approved. */
async function selectAdded({ tx, principal }: WriteContext, dates: readonly string[]): Promise<Added[]> {
  const { type, id, name } = actorOf(principal);
  // Agents without a key have only their name.
  const isCaller = (who: string): ReturnType<typeof sql> =>
    sql`${sql.ref(`${who}_type`)} = ${type} and ${
      id === null
        ? sql`${sql.ref(`${who}_id`)} is null and ${sql.ref(`${who}_name`)} = ${name}`
        : sql`${sql.ref(`${who}_id`)} = ${id}`
    }`;
  const { rows } = await sql<Added>`
    select t.id, t.account_id, t.date, t.amount_cents, t.iso_currency_code, t.name from transactions t
    where ${tx.portable.inList(sql.ref('t.date'), dates)} and t.deleted_at is null
      and t.created_at >= ${instantAfter(tx.now, -LIMITS.repeatedWriteHours * HOUR_MS)}
      and (t.created_change_set_id = ${tx.journal.changeSetId} or exists (
        select 1 from change_sets s left join proposals p on p.id = s.proposal_id
        where s.id = t.created_change_set_id and s.import_id is null and s.sync_log_id is null
          and ((${isCaller('s.actor')}) or (${isCaller('p.proposer')}))))
    order by t.id`.execute(tx.q);
  return rows;
}

import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { parseCents } from '../../kernel/money.ts';
import { bringsBack, isMatchedBy } from '../touched-rows.ts';
import type { Amounts } from './open-rows.queries.ts';

/** What a change set touched of linked accounts: which accounts, and rows with which amounts; null for too many. */
export interface Affected {
  readonly accountIds: readonly string[];
  readonly amounts: Amounts;
}

type Fields = Readonly<Record<string, unknown>>;

interface StoredChange {
  type: string;
  operation: string;
  before: string | null;
  after: string | null;
  account: string | null;
  amount: number | null;
  /** For a link that still exists, because an update does not record which accounts it joins. */
  primary_account: string | null;
  dependent_account: string | null;
}

/** Collects what the changes of a set say, those of matches too: both rows of one that ended may go with others now. */
export async function selectAffected(tx: ReadTx, changeSetId: string): Promise<Affected> {
  const found = new Touched(await selectLinkedAccounts(tx));
  for await (const row of tx.iterate(
    sql<StoredChange>`select c.entity_type as type, c.operation, c.before, c.after, t.account_id as account, t.amount_cents as amount,
        l.primary_account_id as primary_account, l.dependent_account_id as dependent_account
      from changes c left join transactions t on t.id = c.entity_id and c.entity_type = 'transaction'
      left join account_links l on l.id = c.entity_id and c.entity_type = 'account_link'
      where c.change_set_id = ${changeSetId}
        and c.entity_type in ('transaction', 'transaction_match', 'account_link')`.compile(tx.q),
  )) {
    found.add(row);
  }
  const isBack = bringsBack(await selectSource(tx, changeSetId));
  await found.addMatched(tx);
  const isWhole = (isBack && found.hasLinks) || found.amounts.size > LIMITS.amountsReconciled;
  return { accountIds: [...found.accountIds], amounts: isWhole ? null : found.amounts };
}

class Touched {
  readonly accountIds = new Set<string>();
  readonly amounts = new Set<number>();
  hasLinks = false;
  readonly #linked: ReadonlySet<string>;
  readonly #matched = new Set<string>();

  constructor(linked: ReadonlySet<string>) {
    this.#linked = linked;
  }

  add(change: StoredChange): void {
    const sides = [change.before, change.after].map((json): Fields =>
      json === null ? {} : (JSON.parse(json) as Fields),
    );
    if (change.type === 'transaction') this.#addTransaction(change, sides);
    if (change.type === 'account_link') {
      this.hasLinks = true;
      for (const id of [change.primary_account, change.dependent_account]) this.#addAccount(id);
    }
    for (const fields of sides) {
      for (const name of ['primary_account_id', 'dependent_account_id']) this.#addAccount(fields[name]);
      for (const name of ['primary_transaction_id', 'dependent_transaction_id']) {
        if (typeof fields[name] === 'string') this.#matched.add(fields[name]);
      }
    }
  }

  #addTransaction({ operation, account, amount }: StoredChange, sides: readonly Fields[]): void {
    if (operation === 'update' && !sides.some(isMatchedBy)) return;
    const accounts = [account, ...sides.map((fields) => fields['account_id'])];
    if (!accounts.some((id) => this.#isLinked(id))) return;
    for (const id of accounts) this.#addAccount(id);
    if (amount !== null) this.amounts.add(amount);
    for (const { amount: text } of sides) {
      const cents = typeof text === 'string' ? parseCents(text) : undefined;
      if (cents !== undefined) this.amounts.add(cents);
    }
  }

  #isLinked(id: unknown): id is string {
    return typeof id === 'string' && this.#linked.has(id);
  }

  #addAccount(id: unknown): void {
    if (this.#isLinked(id)) this.accountIds.add(id);
  }

  /** Rows of matches that came or went. Those of a match by hand may have different amounts. */
  async addMatched(tx: ReadTx): Promise<void> {
    const { rows } = await sql<{ account: string; amount: number }>`
      select distinct account_id as account, amount_cents as amount from transactions
      where ${tx.portable.inList(sql.ref('id'), [...this.#matched])}`.execute(tx.q);
    for (const { account, amount } of rows) {
      this.#addAccount(account);
      this.amounts.add(amount);
    }
  }
}

async function selectLinkedAccounts(tx: ReadTx): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ one: string; other: string }>`select primary_account_id as one,
    dependent_account_id as other from account_links where is_enabled = 1`.execute(tx.q);
  return new Set(rows.flatMap(({ one, other }) => [one, other]));
}

async function selectSource(tx: ReadTx, changeSetId: string): Promise<string> {
  const { rows } = await sql<{ source: string }>`select source from change_sets where id = ${changeSetId}`.execute(
    tx.q,
  );
  return rows[0]?.source ?? '';
}

import type { AccountBatch, KnownRow } from '../../../src/engines/sync/account-plan.ts';
import { returnOf } from '../../../src/engines/sync/account-plan.ts';
import { planAccountRows } from '../../../src/engines/sync/plan-account-rows.ts';
import { feed, knownRow } from './sync-rows.ts';

/** A transaction of one account with the tags that a person gave it. */
export type PureTransaction = KnownRow & { readonly tags: readonly string[] };

/** One account in memory that is synced as the contract says, without databases: what plans mean. */
export class PureLedger {
  readonly rows = new Map<string, PureTransaction>();
  readonly aliases = new Map<string, Map<string, string>>();
  #serial = 0;

  get live(): PureTransaction[] {
    return [...this.rows.values()].filter(({ deletedCause }) => deletedCause === null);
  }

  /** Adds what a file or a hand delivers. */
  add(row: Partial<KnownRow>): PureTransaction {
    const id = this.#newId();
    const made = { ...knownRow({ feed: null, ...row, id }), tags: [] };
    this.rows.set(id, made);
    return made;
  }

  change(id: string, values: Partial<PureTransaction>): void {
    this.rows.set(id, { ...(this.rows.get(id) as PureTransaction), ...values });
  }

  /** Plans a batch and does what the plan says. */
  sync(batch: AccountBatch): void {
    const aliases = this.aliases.get(batch.namespace) ?? new Map<string, string>();
    this.aliases.set(batch.namespace, aliases);
    const ledger = {
      rows: [...this.rows.values()],
      elsewhere: [],
      leaving: new Set<string>(),
      separated: new Set<string>(),
    };
    const plan = planAccountRows(batch, { ...ledger, aliases });
    const ids: string[] = [];
    const later: (() => void)[] = [];
    for (const { row, known, sameAs, isSuperseded } of plan.decisions) {
      const made = known === null && sameAs === null ? this.add({ createdAt: batch.now }).id : null;
      ids[row] = known?.id ?? made ?? '';
      later.push(() => {
        const id = sameAs === null ? (ids[row] as string) : (ids[sameAs] as string);
        this.#alias(aliases, batch, row, id);
        if (!isSuperseded) this.#take(batch, row, id);
      });
    }
    for (const step of later) step();
    for (const { id } of plan.removed) this.change(id, { deletedCause: 'provider', deletedAt: batch.now });
    for (const id of plan.withdrawnIds) {
      const known = this.rows.get(id) as PureTransaction;
      this.change(id, { feed: known.feed && { ...known.feed, removedAt: batch.now } });
    }
  }

  #alias(aliases: Map<string, string>, { rows, rowIds }: AccountBatch, row: number, id: string): void {
    const externalId = rows[row]?.externalId ?? null;
    if (externalId === null || rowIds === 'none') return;
    if ((aliases.get(externalId) ?? id) !== id) throw new Error(`${externalId} belongs to two transactions.`);
    aliases.set(externalId, id);
  }

  #take(batch: AccountBatch, place: number, id: string): void {
    const {
      externalId,
      externalAccountId,
      pendingExternalId: _,
      ...movement
    } = batch.rows[place] as AccountBatch['rows'][number];
    const before = this.rows.get(id) as PureTransaction;
    const wasPending = movement.pending || before.pending || before.feed?.wasPending === true;
    this.change(id, {
      ...movement,
      feed: feed({ namespace: batch.namespace, externalId, externalAccountId, wasPending }),
      ...(returnOf(before) === 'revive' ? { deletedCause: null, deletedAt: null } : {}),
    });
  }

  #newId(): string {
    this.#serial += 1;
    return `t${String(this.#serial).padStart(4, '0')}`;
  }
}

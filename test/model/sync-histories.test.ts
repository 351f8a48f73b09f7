import fc from 'fast-check';
import { test } from 'vitest';

import type { BankRow } from '../../src/engines/sync/account-plan.ts';
import { startCollapse } from '../../src/engines/sync/collapse.ts';
import { PureLedger } from '../harness/syncs/pure-ledger.ts';
import { replay, steps, type HistoryLedger } from './bank-history.ts';
import { BankWorld, type Read } from './bank-world.ts';

/** The engine alone: collapsing, plans, and what they mean. */
function ledgerInMemory(): HistoryLedger {
  const ledger = new PureLedger();
  let relinkedAt: string | null = null;
  let namespace = 'plaid';
  return {
    async sync({ words, batch }: Read) {
      const collapse = startCollapse<{ externalId: string }>(batch.rowIds);
      const rows: BankRow[] = [];
      for (const word of words) {
        if ('row' in word) rows.push(word.row);
        const removed = 'row' in word ? [] : [{ externalId: word.removedId }];
        collapse.take({ kind: 'rows', rows: 'row' in word ? [word.row] : [], removed });
      }
      const { kept, removed } = collapse.finish();
      namespace = batch.namespace;
      ledger.sync({
        ...batch,
        rows: kept.map((at) => rows[at] as BankRow),
        removedIds: removed.map(({ externalId }) => externalId),
        relinkedAt,
      });
    },
    async relink({ now }) {
      relinkedAt = now;
    },
    live: async () => ledger.live.map((one) => ({ ...one, isFed: one.feed !== null })),
    async storedUnder(externalId) {
      const known = ledger.rows.get(ledger.aliases.get(namespace)?.get(externalId) ?? '');
      return known ? { ...known, presentId: known.feed?.externalId ?? null } : null;
    },
    async importFile({ now }, rows) {
      // As an import knows its rows: one that equals a row of the ledger is that row, and is not added.
      const left = ledger.live.map(
        ({ date, amountCents, name }) => `${date} ${amountCents} ${name.replace(' 1234', '')}`,
      );
      for (const { date, amountCents, shop } of rows) {
        const at = left.indexOf(`${date} ${amountCents} ${shop}`);
        if (at !== -1) {
          left.splice(at, 1);
          continue;
        }
        ledger.add({ date, amountCents, name: `${shop} 1234`, isFromFile: true, createdAt: now, currency: null });
      }
      return true;
    },
    tag: async (id, tag) => ledger.change(id, { tags: [tag] }),
    remove: async (id) => ledger.change(id, { deletedCause: 'person', deletedAt: '2026-01-05T12:00:00.000Z' }),
  };
}

test.each(['plaid', 'teller', 'moneta'] as const)(
  'a history that begins with %s ends in what the bank has',
  async (reach) => {
    await fc.assert(
      fc.asyncProperty(steps(60), async (all) => {
        const world = new BankWorld();
        if (reach !== 'plaid') world.relink(reach);
        await replay(world, ledgerInMemory(), all);
      }),
      { numRuns: 200 },
    );
  },
);

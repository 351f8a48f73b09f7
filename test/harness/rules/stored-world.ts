import type { RuleRow } from '../../../src/engines/rules/row.ts';
import {
  addAccount,
  addCounterparty,
  addMember,
  addTag,
  addTransactions,
  categoryBySlug,
  type Made,
} from '../ledger.ts';
import type { TestApp } from '../test-app.ts';
import { CATEGORIES, KINDS, TAGS, type Plain } from './sample-rules.ts';

/** The records that random rules name, in a ledger. */
export interface StoredWorld {
  store: (rows: readonly RuleRow[]) => Promise<Made[]>;
  /** What a client sends for a condition or action: accounts, series and counterparties under their ids here. */
  named: <T>(sent: T) => T;
}

export async function storedWorld(app: TestApp): Promise<StoredWorld> {
  const member = await addMember(app, 'Ada');
  const accounts = { acc: await addAccount(app, member), other: await addAccount(app, member, { name: 'Other' }) };
  for (const slug of CATEGORIES) {
    await app.request('POST', '/api/v1/categories', { body: { slug, name: slug, kind: KINDS[slug] } });
  }
  const categories = new Map<string, Made>();
  for (const slug of CATEGORIES) categories.set(`id-${slug}`, await categoryBySlug(app, slug));
  const tags = new Map<string, Made>();
  for (const slug of TAGS) {
    const known = await app.request('GET', `/api/v1/tags/${slug}`);
    tags.set(slug, known.status === 200 ? (known.json as Made) : await addTag(app, slug));
  }
  const seriesNamed = async (name: string): Promise<string> =>
    (await app.request('POST', '/api/v1/series', { body: { name, type: 'bill' } })).json.id;
  const ids: Readonly<Record<string, Record<string, string>>> = {
    series_id: { s: await seriesNamed('S'), t: await seriesNamed('T') },
    counterparty_id: { c: (await addCounterparty(app, 'C')).id, d: (await addCounterparty(app, 'D')).id },
    value: { acc: accounts.acc.id, other: accounts.other.id },
  };
  const [seriesId, counterpartyId] = [ids['series_id']?.['s'], ids['counterparty_id']?.['c']];

  return {
    store: (rows) =>
      addTransactions(
        app,
        rows.map((row) => ({
          account: row.accountId === 'id-acc' ? accounts.acc : accounts.other,
          date: row.date,
          amount_cents: row.amountCents,
          name: row.name === '' ? 'x' : row.name,
          merchant_name: row.merchantName,
          iso_currency_code: row.isoCurrencyCode,
          tags: [...row.tags].map((slug) => tags.get(slug) as Made),
          columns: {
            category_id: row.categoryId === null ? null : (categories.get(row.categoryId)?.id ?? null),
            category_source: row.categorySource ?? (row.categoryId === null ? null : 'provider'),
            series_id: row.seriesId === null ? null : (seriesId ?? null),
            counterparty_id: row.counterpartyId === null ? null : (counterpartyId ?? null),
            metadata: JSON.stringify(Object.fromEntries(row.metadata)),
            flagged_at: row.flagged ? '2026-01-01T00:00:00.000Z' : null,
            locks: JSON.stringify([...row.locks].sort()),
            pending: row.pending ? 1 : 0,
            payment_channel: row.paymentChannel,
          },
        })),
      ),
    named: (sent) => rename(sent, ids) as typeof sent,
  };
}

function rename(sent: unknown, ids: Readonly<Record<string, Record<string, string>>>): unknown {
  if (Array.isArray(sent)) return sent.map((one) => rename(one, ids));
  if (typeof sent !== 'object' || sent === null) return sent;
  const isAccount = (sent as Plain)['field'] === 'account_id';
  return Object.fromEntries(
    Object.entries(sent).map(([key, value]) => {
      const known = key === 'value' && !isAccount ? undefined : ids[key];
      if (known === undefined) return [key, rename(value, ids)];
      return [key, Array.isArray(value) ? value.map((one) => known[String(one)]) : (known[String(value)] ?? value)];
    }),
  );
}

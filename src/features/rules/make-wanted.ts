import { isTagSlug, makeTag, nameOfSlug } from '../tags/index.ts';
import { makeCounterparty } from '../counterparties/index.ts';
import { makeSeries } from '../series/index.ts';
import type { WantedRecords } from '../../engines/rules/references.ts';
import type { WriteTx } from '../../journal/write.ts';

/** Makes what the actions of rules name and the ledger lacks (contract 40.3). Answers id by placeholder. */
export async function makeWanted(tx: WriteTx, wanted: WantedRecords): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { placeholder, kind, name, seriesType } of wanted.list) {
    ids.set(placeholder, await make(tx, kind, name, seriesType));
  }
  return ids;
}

async function make(
  tx: WriteTx,
  kind: 'tag' | 'series' | 'counterparty',
  name: string,
  seriesType: string | null,
): Promise<string> {
  switch (kind) {
    case 'tag': {
      if (!isTagSlug(name)) throw new Error('A tag to be made has no slug.');
      return (await makeTag(tx, { slug: name, name: nameOfSlug(name) })).id;
    }
    case 'series': {
      const type = (seriesType ?? 'subscription') as 'subscription' | 'bill' | 'loan' | 'other';
      return (await makeSeries(tx, { name, type })).id;
    }
    case 'counterparty':
      return (await makeCounterparty(tx, { name })).id;
    default:
      return kind satisfies never;
  }
}

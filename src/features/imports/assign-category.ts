import type { ReadTx } from '../../db/unit-of-work.ts';
import { providerMapping } from '../categories/index.ts';

/** The category that a file's category text means (10.10.5), or null. Rules come after this (36.8.4). */
export type CategoryMapping = (text: string | null) => string | null;

/** Reads the categories once; what it answers for a text is remembered. */
export async function categoryMapping(tx: ReadTx): Promise<CategoryMapping> {
  const mapping = await providerMapping(tx);
  return (text) => mapping({ provider: 'csv', primary: text, detailed: null, amountCents: 0 });
}

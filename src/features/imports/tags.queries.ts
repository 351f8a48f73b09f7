import type { BareWriteTx } from '../../db/unit-of-work.ts';

export async function insertTagPairs(tx: BareWriteTx, pairs: readonly (readonly [string, string])[]): Promise<void> {
  await tx.insertMany('transaction_tags', ['transaction_id', 'tag_id'], pairs);
}

import type { WriteTx } from '../../journal/write.ts';
import { makeTag } from './make-tag.ts';

const NEEDS_REVIEW = { slug: 'needs-review', name: 'Needs review', color: '#f59e0b', description: 'Not looked at yet' };

/** A fresh installation has one tag (contract 10.9). Answers its UUID. */
export async function seedTags(tx: WriteTx): Promise<string> {
  return (await makeTag(tx, NEEDS_REVIEW, { revertible: false })).id;
}

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WantedComment } from '../../engines/rules/evaluate.ts';
import type { WriteTx } from '../../journal/write.ts';
import { insertComment, selectCommentsOfRules } from '../comments/index.ts';

/** A comment that a rule wants on a transaction. */
export interface CommentOnRow extends WantedComment {
  transactionId: string;
}

/**
 * Those of the comments that are to be added: a rule's comment stands on a transaction at most once per text, and one
 * that was deleted is not added again (contract 40.6).
 */
export async function missingComments(tx: ReadTx, wanted: readonly CommentOnRow[]): Promise<readonly CommentOnRow[]> {
  if (wanted.length === 0) return wanted;
  const known = new Set(
    (await selectCommentsOfRules(tx, [...new Set(wanted.map(({ transactionId }) => transactionId))])).map(
      ({ transaction_id: id, author_id: ruleId, body }) => keyOf(id, ruleId ?? '', body),
    ),
  );
  const missing: CommentOnRow[] = [];
  for (const comment of wanted) {
    const key = keyOf(comment.transactionId, comment.ruleId, comment.content);
    if (!known.has(key)) missing.push(comment);
    known.add(key);
  }
  return missing;
}

export async function addComments(
  tx: WriteTx,
  comments: readonly CommentOnRow[],
  nameOf: (ruleId: string) => string,
  appliedBy: string,
): Promise<void> {
  for (const { transactionId, ruleId, content } of comments) {
    const author = { type: 'system' as const, id: ruleId, userId: null, name: nameOf(ruleId) };
    await insertComment(tx, { transactionId, body: content, author }, { ruleId, appliedBy });
  }
}

function keyOf(transactionId: string, ruleId: string, body: string): string {
  return JSON.stringify([transactionId, ruleId, body]);
}

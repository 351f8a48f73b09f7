import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { WantedComment } from '../../../engines/rules/evaluate.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { insertComments, selectCommentsOfRules } from '../../comments/index.ts';

/** A comment that a rule adds to a transaction. */
export interface CommentOnRow extends WantedComment {
  transactionId: string;
}

/**
 * The comments that were not added before. A rule adds each text to a transaction at most once, and never again after
 * it was deleted (contract 40.6).
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

/** Each text of a rule once, for a new row. */
export function distinctComments(wanted: readonly WantedComment[]): readonly WantedComment[] {
  if (wanted.length < 2) return wanted;
  return [...new Map(wanted.map((comment) => [keyOf('', comment.ruleId, comment.content), comment])).values()];
}

export async function addComments(
  tx: WriteTx,
  comments: readonly Omit<CommentOnRow, 'action'>[],
  nameOf: (ruleId: string) => string,
  appliedBy: string,
): Promise<void> {
  await insertComments(
    tx,
    comments.map(({ transactionId, ruleId, content }) => ({
      transactionId,
      body: content,
      author: { type: 'system' as const, id: ruleId, userId: null, name: nameOf(ruleId) },
      ruleId,
      appliedBy,
    })),
  );
}

function keyOf(transactionId: string, ruleId: string, body: string): string {
  return JSON.stringify([transactionId, ruleId, body]);
}

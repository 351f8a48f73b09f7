import type { z } from 'zod';

import type { CommentsTable } from '../../db/schema.ts';
import { flag, IDS, internal, recorded, STAMPS } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import type { ChangeOptions } from '../../journal/journal-of.ts';
import type { Actor, WriteTx } from '../../journal/write.ts';
import type { Comment } from './comments.contract.ts';

export const comments = defineEntity('comments', {
  type: 'comment',
  columns: {
    ...IDS,
    transaction_id: recorded,
    body: recorded,
    author_type: recorded,
    author_id: recorded,
    author_user_id: recorded,
    author_name: recorded,
    is_edited: flag('edited'),
    deleted_at: internal,
    ...STAMPS,
  },
  removedAt: 'deleted_at',
  transactionOf: (row) => row.transaction_id,
  undo: {},
});

type CommentRecord = z.output<typeof Comment>;

/** The record (contract 10.7). */
export function toComment(row: CommentsTable): CommentRecord {
  const { author_type: authorType, is_edited: isEdited, deleted_at: _internal, ...fields } = row;
  return { ...fields, author_type: authorType as CommentRecord['author_type'], edited: isEdited === 1 };
}

interface NewComment {
  /** UUID of a live transaction. */
  transactionId: string;
  /** Already trimmed and measured. */
  body: string;
  /** Comments by a rule have its UUID and name. */
  author: Actor;
}

/** Which rule wrote a comment, and in what kind of run, for the journal. */
type Provenance = Pick<ChangeOptions, 'ruleId' | 'appliedBy'>;

export async function insertComment(tx: WriteTx, comment: NewComment): Promise<CommentsTable> {
  const [row] = await insertComments(tx, [comment]);
  return row as CommentsTable;
}

export async function insertComments(
  tx: WriteTx,
  wanted: readonly (NewComment & Provenance)[],
): Promise<CommentsTable[]> {
  const rows = wanted.map(({ transactionId, body, author }) => ({
    transaction_id: transactionId,
    body,
    author_type: author.type,
    author_id: author.id,
    author_user_id: author.userId,
    author_name: author.name,
    is_edited: 0 as const,
  }));
  const created = await comments.createMany(tx, rows, (index) => optionsOf(wanted[index] as Provenance));
  await tx.journal.flushIfLarge();
  return created;
}

function optionsOf({ ruleId, appliedBy }: Provenance): ChangeOptions {
  return {
    ...(ruleId === undefined ? {} : { ruleId, source: 'rule' }),
    ...(appliedBy === undefined ? {} : { appliedBy }),
  };
}

import {
  ArrowDownToLine,
  Flag,
  MessageSquare,
  Pencil,
  Repeat,
  RotateCcw,
  Shapes,
  Store,
  Tag,
  Trash2,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';

import { createComment, deleteComment, updateComment } from '../../../src/features/comments/comments.contract.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { messageOf } from '../../api/client.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Button, IconButton } from '../button.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { TextInPlace } from '../edit-in-place.tsx';
import { Instant } from '../instant.tsx';
import { AmountsInText } from '../money.tsx';
import type { Entry } from './origin.tsx';
import { RevertButton } from './revert-button.tsx';
import type { TransactionRecord } from './transaction-row.tsx';

const ICONS: Readonly<Record<Entry['kind'], LucideIcon>> = {
  sync_started: ArrowDownToLine,
  imported: ArrowDownToLine,
  transaction_created: Pencil,
  sync_updated: ArrowDownToLine,
  import_updated: ArrowDownToLine,
  transaction_deleted: Trash2,
  transaction_restored: RotateCcw,
  category_set: Shapes,
  tag_added: Tag,
  tag_removed: Tag,
  counterparty_assigned: Store,
  counterparty_unlinked: Store,
  series_assigned: Repeat,
  series_unlinked: Repeat,
  attributed: UserRound,
  unattributed: UserRound,
  flagged: Flag,
  unflagged: Flag,
  metadata_changed: Pencil,
  comment: MessageSquare,
  comment_edited: MessageSquare,
  comment_deleted: MessageSquare,
};

interface TimelineProps {
  record: TransactionRecord;
  entries: readonly Entry[];
  /** Why nothing can be changed. */
  reason: string | undefined;
}

/** What happened to the transaction, oldest first; what was undone says so, and what can be undone has a button for it. */
export function Timeline({ record, entries, reason }: TimelineProps) {
  const shown = entries.map((entry, at) => ({
    entry,
    isFirstOfSet: entries.findIndex(({ change_set_id: set }) => set === entry.change_set_id) === at,
  }));
  return (
    <>
      <ol aria-label="What happened" className="ml-3 border-l border-line">
        {shown.map(({ entry, isFirstOfSet }) => (
          <TimelineEntry
            key={`${entry.kind} ${entry.id}`}
            entry={entry}
            reason={reason}
            hasUndo={isFirstOfSet && entry.source !== 'sync'}
          />
        ))}
      </ol>
      <NewComment record={record} reason={reason} />
    </>
  );
}

interface EntryProps {
  entry: Entry;
  reason: string | undefined;
  hasUndo?: boolean;
}

function TimelineEntry({ entry, reason, hasUndo = false }: EntryProps) {
  const Icon = ICONS[entry.kind];
  const isLiveComment = entry.kind === 'comment' && typeof entry.payload['comment'] === 'string';
  const { is_reverted: isReverted, change_set_id: set } = entry;
  return (
    <li className="-ml-3 mb-3 flex gap-3 last:mb-0">
      <span className="grid size-6 shrink-0 place-items-center rounded-full border border-line bg-surface text-muted">
        <Icon aria-hidden size={13} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">
          <span className={isReverted ? 'text-muted line-through' : ''}>
            {isLiveComment ? (
              <>
                <bdi>{entry.actor_name}</bdi> commented
              </>
            ) : (
              <AmountsInText text={entry.body} />
            )}
          </span>
          {isReverted && <span className="text-sm text-muted"> (undone)</span>}{' '}
          <span className="text-sm whitespace-nowrap text-muted">
            <Instant at={entry.created_at} />
          </span>
        </p>
        {isLiveComment && !isReverted && <CommentText entry={entry} reason={reason} />}
      </div>
      {hasUndo && !isReverted && set !== null && (
        <span className="-my-2 shrink-0">
          <RevertButton id={set} what={entry.body} reason={reason} />
        </span>
      )}
    </li>
  );
}

function CommentText({ entry, reason }: EntryProps) {
  const [mode, setMode] = useState<'read' | 'edit' | 'delete'>('read');
  const params = { id: entry.transaction_id, comment_id: entry.id };
  const change = useApiWrite(updateComment, { undo: 'Comment changed' });
  const remove = useApiWrite(deleteComment, { undo: 'Comment deleted' });
  const text = String(entry.payload['comment']);
  if (mode === 'edit') {
    return (
      <TextInPlace
        isLong
        label="Comment"
        value={text}
        maxLength={LIMITS.commentChars}
        onSave={(typed) => {
          setMode('read');
          if (typed.trim() !== '') change.mutate({ params, body: { body: typed } });
        }}
        onCancel={() => setMode('read')}
      />
    );
  }
  const shown = change.isPending ? String(change.variables.body?.body) : text;
  return (
    <div className="mt-1 flex items-start gap-1 rounded-control bg-sunken py-1 pr-1 pl-3">
      <p className="min-w-0 flex-1 py-1 whitespace-pre-wrap wrap-anywhere">
        <bdi>{shown}</bdi>
        {entry.payload['edited'] === true && <span className="text-sm text-muted"> (edited)</span>}
      </p>
      <IconButton icon={Pencil} label="Edit the comment" disabledReason={reason} onClick={() => setMode('edit')} />
      <IconButton icon={Trash2} label="Delete the comment" disabledReason={reason} onClick={() => setMode('delete')} />
      {change.error !== null && <Problem error={change.error} />}
      <ConfirmDialog
        open={mode === 'delete'}
        title="Delete the comment?"
        action="Delete"
        onConfirm={() => remove.mutateAsync({ params })}
        onClose={() => setMode('read')}
      >
        Its text will no longer be shown anywhere. You can undo this for a while.
      </ConfirmDialog>
    </div>
  );
}

/** What was typed and not sent stays when another transaction is looked at meanwhile. */
const drafts = new Map<string, string>();

function NewComment({ record, reason }: { record: TransactionRecord; reason: string | undefined }) {
  const { id } = record;
  const [text, setText] = useState(drafts.get(id) ?? '');
  const type = (typed: string): void => {
    drafts.set(id, typed);
    setText(typed);
  };
  const create = useApiWrite(createComment, { undo: 'Comment added', onSuccess: () => type('') });
  const body = text.trim();
  const send = (): void => {
    if (body !== '' && !create.isPending) create.mutate({ params: { id }, body: { body } });
  };
  return (
    <form
      className="mt-4"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        aria-label="New comment"
        placeholder="Write a comment"
        rows={text.includes('\n') ? 4 : 2}
        maxLength={LIMITS.commentChars}
        className="field"
        value={text}
        readOnly={reason !== undefined}
        title={reason}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
        }}
      />
      {create.error !== null && <Problem error={create.error} />}
      {(body !== '' || reason !== undefined) && (
        <Button type="submit" className="mt-1" busy={create.isPending} disabledReason={reason}>
          Comment
        </Button>
      )}
    </form>
  );
}

function Problem({ error }: { error: Error }) {
  return (
    <p role="alert" className="text-sm font-medium text-danger">
      {messageOf(error)}
    </p>
  );
}

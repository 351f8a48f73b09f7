import { useEffect, useRef } from 'react';
import { useNavigate } from '@tanstack/react-router';

import { ConnectionLost } from '../../api/client.ts';
import { isConnected } from '../../api/connection.ts';
import { useMembers } from '../../api/lists.ts';
import { useReasonAgainst, useSession } from '../../api/session.ts';
import { counted } from '../../lib/numbers.ts';
import { useStore } from '../../lib/store.ts';
import { ErrorBanner } from '../banner.tsx';
import { Button } from '../button.tsx';
import { AmountsInText } from '../money.tsx';
import { Skeleton } from '../skeleton.tsx';
import { AccountName, isNamedByFile } from './account-name.tsx';
import { leaveSheetForPage, takeFromQueue, changeQueued, type QueuedFile } from './import-queue.ts';
import { countsInWords, PROOF_WORDS, writtenBy } from './import-words.ts';
import { isMemberOpen, Question, questionOf, WhoseAccount } from './question.tsx';
import { ImportProgress } from './running-import.tsx';
import { useImport, usePreview, type Preview } from './use-preview.ts';

interface ShortFormProps {
  item: QueuedFile;
  /** The files after it. */
  later: readonly QueuedFile[];
  /** The file before it is still being written. */
  isWaiting: boolean;
  onClose: () => void;
}

/** A file in one sentence with one button, or the one question that is open. Everything else is one click away. */
export function ShortForm({ item, later, isWaiting, onClose }: ShortFormProps) {
  const preview = usePreview(item, SHOWN, { enabled: !isWaiting });
  const navigate = useNavigate();
  const leaving = later.length === 0 ? 'Cancel' : 'Leave this file out';
  const leaveOut = (): void => (later.length === 0 ? onClose() : takeFromQueue(item.id));
  const showAll = (): void => {
    leaveSheetForPage();
    void navigate({ to: '/imports/new' } as never);
  };
  return (
    <section aria-label={item.file.name}>
      <p className="mb-3 text-sm text-muted wrap-anywhere">
        <bdi>{item.file.name}</bdi>
        {later.length > 0 && `, then ${counted(later.length, 'more file', 'more files')}`}
      </p>
      {isWaiting && <p className="text-muted">It is read when the file before it has been written.</p>}
      {!isWaiting && preview.error !== null && (
        <Unreadable item={item} error={preview.error} onRetry={() => void preview.refetch()} />
      )}
      {!isWaiting && preview.error === null && !preview.data && <Reading />}
      {!isWaiting && preview.error === null && preview.data && (
        <Read
          item={item}
          preview={preview.data}
          isBusy={preview.isFetching}
          leaving={leaving}
          onLeaveOut={leaveOut}
          onShowAll={showAll}
        />
      )}
      {(isWaiting || !preview.data || preview.error !== null) && (
        <div className="mt-6 flex justify-end">
          <Button onClick={leaveOut}>{leaving}</Button>
        </div>
      )}
    </section>
  );
}

const SHOWN = { limit: 5 } as const;

function Reading() {
  return (
    <>
      <p role="status" className="sr-only">
        Reading the file
      </p>
      <Skeleton lines={3} />
    </>
  );
}

/** The server's reason. Whose account it is can be asked before anything is read. */
function Unreadable({ item, error, onRetry }: { item: QueuedFile; error: Error; onRetry: () => void }) {
  if (isMemberOpen(error)) return <WhoseAccount item={item} />;
  return <ErrorBanner error={error} isAboutInput {...(error instanceof ConnectionLost ? { onRetry } : {})} />;
}

interface ReadProps {
  item: QueuedFile;
  preview: Preview;
  isBusy: boolean;
  /** What goes without importing it is called. */
  leaving: string;
  onLeaveOut: () => void;
  onShowAll: () => void;
}

function Read({ item, preview, isBusy, leaving, onLeaveOut, onShowAll }: ReadProps) {
  const right = useReasonAgainst('full_access');
  const send = useImport(item);
  useSendAgain(send);
  const question = questionOf(preview);
  const written = writtenBy(preview.counts);
  if (send.isPending) return <ImportProgress progress={undefined} label={`Import of ${item.file.name}`} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!question && written > 0 && right === undefined) send.mutate();
      }}
    >
      {send.error !== null && <ErrorBanner error={send.error} />}
      {question ? (
        <Question item={item} preview={preview} question={question} />
      ) : (
        <p className="text-lg wrap-anywhere">
          <Sentence item={item} preview={preview} />
        </p>
      )}
      {!question && <Warnings preview={preview} />}
      {!question && <NewAccount item={item} preview={preview} />}
      <div className="mt-6 flex flex-wrap items-center justify-between gap-3">
        <Button look="quiet" onClick={onShowAll}>
          Show everything
        </Button>
        <div className="flex flex-wrap gap-3">
          <Button onClick={onLeaveOut}>{leaving}</Button>
          {!question && <ImportRows written={written} preview={preview} isBusy={isBusy} right={right} />}
        </div>
      </div>
    </form>
  );
}

/** Where the answer to the import was lost, it is sent again under the same key once the server is back. */
export function useSendAgain({ error, isPending, mutate }: ReturnType<typeof useImport>): void {
  const isBack = useStore(isConnected);
  useEffect(() => {
    if (isBack && !isPending && error instanceof ConnectionLost) mutate();
  }, [isBack, isPending, error, mutate]);
}

interface ImportRowsProps {
  written: number;
  preview: Preview;
  isBusy: boolean;
  right: string | undefined;
}

function ImportRows({ written, preview, isBusy, right }: ImportRowsProps) {
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // Enter is all it takes; in the field for a name, too.
    if (document.activeElement?.matches('input, select') === true) return;
    const form = box.current?.closest('form');
    (form?.querySelector<HTMLElement>('input') ?? box.current?.querySelector('button'))?.focus();
  }, []);
  const nothing = written === 0 ? 'Every row of the file is known already.' : undefined;
  return (
    <span ref={box}>
      <Button look="primary" type="submit" busy={isBusy} disabledReason={right ?? nothing}>
        {buttonText(preview)}
      </Button>
    </span>
  );
}

/** "Import 16 rows", or what else there is to do. */
export function buttonText({ counts }: Preview): string {
  if (writtenBy(counts) === 0) return 'Nothing new';
  return counts.added === 0
    ? `Update ${counted(counts.updated + counts.removed, 'row')}`
    : `Import ${counted(counts.added, 'row')}`;
}

/** "Sparkasse …9890: 16 new, 0 known, adds up to the bank's balance". */
export function Sentence({ item, preview }: { item: QueuedFile; preview: Preview }) {
  const { accounts, counts, balance_proof: proof } = preview;
  const typed = item.accountName.trim();
  const unnamed = isNamedByFile(preview, item.file.name) ? typed || 'A new account' : undefined;
  return (
    <>
      <strong>
        <bdi>{unnamed ?? accounts.map(({ account_name: name }) => name).join(', ')}</bdi>
      </strong>
      : {countsInWords(counts)}, {PROOF_WORDS[proof.status].clause}.
    </>
  );
}

const WARNINGS_SHOWN = 2;

/** What was assumed, and what is odd; all of it is with everything else. */
function Warnings({ preview: { warnings } }: { preview: Preview }) {
  return (
    <ul className="mt-2 space-y-1 text-sm text-muted">
      {warnings.slice(0, WARNINGS_SHOWN).map(({ code, message }) => (
        <li key={`${code} ${message}`} className="wrap-anywhere">
          <AmountsInText text={message} />
        </li>
      ))}
      {warnings.length > WARNINGS_SHOWN && <li>{counted(warnings.length - WARNINGS_SHOWN, 'more thing')} to know.</li>}
    </ul>
  );
}

/** What only a person knows of an account that the file makes: what it is called, and whose it is. */
function NewAccount({ item, preview }: { item: QueuedFile; preview: Preview }) {
  const own = useSession().data?.user?.short_id;
  const members = useMembers() ?? [];
  const made = preview.accounts.filter(({ created }) => created);
  if (made.length === 0) return null;
  const { user_id: chosen = own ?? '' } = item.fields;
  return (
    <div className="mt-4 grid gap-4 sm:grid-cols-2">
      {made.length === 1 && isNamedByFile(preview, item.file.name) && <AccountName item={item} preview={preview} />}
      {members.length > 1 && own !== undefined && (
        <label className="block">
          <span className="mb-1 block font-medium">Whose account is it?</span>
          <select
            className="field target"
            value={chosen}
            onChange={({ currentTarget: { value } }) =>
              changeQueued(item.id, { fields: { ...item.fields, user_id: value } })
            }
          >
            {members.map(({ short_id: id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

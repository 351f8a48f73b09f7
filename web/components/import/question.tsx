import { useEffect, useId, useRef, type ReactNode } from 'react';

import { ApiError } from '../../api/client.ts';
import { useAccounts, useMembers } from '../../api/lists.ts';
import { AmountsInText } from '../money.tsx';
import { answersOf, titleOf, type Answer } from './answers.ts';
import { changeQueued, type QueuedFile } from './import-queue.ts';
import { FirstBreak } from './proof-section.tsx';
import { ProblemTable, SampleTable } from './sample-tables.tsx';
import type { Preview } from './use-preview.ts';

type Blocker = Preview['blockers'][number];
/** Blockers that say the same are one question with more answers. */
export type OpenQuestion = readonly [Blocker, ...Blocker[]];

/** What has to be decided before the file can be imported: the first of what is open. */
export function questionOf({ ready, blockers: [first, ...others] }: Preview): OpenQuestion | undefined {
  if (ready || !first) return undefined;
  return [first, ...others.filter(({ message }) => message === first.message)];
}

interface QuestionProps {
  item: QueuedFile;
  preview: Preview;
  question: OpenQuestion;
}

/** One question in a household's words, with rows of the file. An answer reads the file again. */
export function Question({ item, preview, question }: QuestionProps) {
  const accounts = useAccounts() ?? [];
  const names = accounts.flatMap(({ name, display_name: own }) => [name ?? '', own ?? '']);
  const answers = answersOf(question, { item, preview, names });
  const [{ code, message }] = question;
  const title = titleOf(question[0], preview) ?? message;
  return (
    <Asked key={title} title={title} item={item} answers={answers}>
      {code === 'BALANCE_MISMATCH' && <Broken preview={preview} />}
      {title !== message && isMore(question[0]) && (
        <p className="mb-3 text-muted">
          <AmountsInText text={message} />
        </p>
      )}
      {code === 'INVALID_ROWS' ? (
        <ProblemTable rows={preview.problems.slice(0, SHOWN)} />
      ) : (
        <SampleTable preview={preview} />
      )}
      {answers.length === 0 && <p className="mt-3">Show everything to decide how the file is read.</p>}
    </Asked>
  );
}

const SHOWN = 5;

const SAID = ['date_format', 'decimal_separator', 'column_mapping', 'account_id'];

/** Whether the server's words say more than the question and its answers do. */
function isMore({ code, parameter }: Blocker): boolean {
  return code !== 'BALANCE_MISMATCH' && !SAID.includes(parameter ?? '');
}

function Broken({ preview: { balance_proof: proof } }: { preview: Preview }) {
  const broken = proof.results.find(({ first_break: first }) => first !== null);
  return broken === undefined ? null : (
    <div className="mb-3">
      <FirstBreak result={broken} />
    </div>
  );
}

interface AskedProps {
  title: string;
  item: QueuedFile;
  answers: readonly Answer[];
  children?: ReactNode;
}

function Asked({ title, item, answers, children }: AskedProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // It is heard, and no answer is given by a key that was meant for something else.
    if (heading.current?.closest('dialog')) heading.current.focus();
  }, []);
  return (
    <section aria-labelledby={id}>
      <h3 id={id} ref={heading} tabIndex={-1} className="mb-3 text-lg font-semibold outline-none wrap-anywhere">
        <AmountsInText text={title} />
      </h3>
      {children}
      {answers.length > 0 && (
        <ul className="mt-4 space-y-2">
          {answers.map(({ label, hint, change }) => (
            <li key={`${label} ${hint}`}>
              <button
                type="button"
                className="block w-full rounded-control border border-line-strong bg-surface px-4 py-2.5 text-left hover:border-accent hover:bg-accent-soft"
                onClick={() => changeQueued(item.id, { fields: { ...item.fields, ...change } })}
              >
                <bdi className="block font-medium wrap-anywhere">{label}</bdi>
                {hint !== undefined && <span className="block text-sm text-muted wrap-anywhere">{hint}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Nothing says which member of the household the file belongs to. */
export function WhoseAccount({ item }: { item: QueuedFile }) {
  const members = useMembers() ?? [];
  const answers = members.map(({ short_id: id, name }) => ({ label: name, change: { user_id: id } }));
  return <Asked title="Whose account is it?" item={item} answers={answers} />;
}

export function isMemberOpen(error: Error): boolean {
  const details = error instanceof ApiError ? (error.body.error.details ?? []) : [];
  return (
    error instanceof ApiError && error.code === 'INVALID_PARAMETER' && details.some(({ path }) => path === 'user_id')
  );
}

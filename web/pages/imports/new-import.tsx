import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { followed } from '../../components/import/follow-store.ts';
import { changeQueued, takeFromQueue, type Fields, type QueuedFile } from '../../components/import/import-queue.ts';
import { writtenBy } from '../../components/import/import-words.ts';
import { ProofSection } from '../../components/import/proof-section.tsx';
import { isMemberOpen, Question, questionOf, WhoseAccount } from '../../components/import/question.tsx';
import { ImportProgress, RunningImport } from '../../components/import/running-import.tsx';
import { ProblemTable } from '../../components/import/sample-tables.tsx';
import { buttonText, Sentence, useSendAgain } from '../../components/import/short-form.tsx';
import { useImport, usePreview, type Import, type Preview } from '../../components/import/use-preview.ts';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { counted } from '../../lib/numbers.ts';
import { useStore } from '../../lib/store.ts';
import { TickChoice } from './choice.tsx';
import { Columns } from './columns.tsx';
import { Warnings } from './import-page.tsx';
import { PreviewRows } from './preview-rows.tsx';
import { Target } from './target.tsx';
import { UnderstoodAs } from './understood-as.tsx';

interface NewImportProps {
  item: QueuedFile;
  later: readonly QueuedFile[];
}

export interface PartProps {
  item: QueuedFile;
  preview: Preview;
  change: (fields: Fields) => void;
}

const FIRST_LIMIT = 50;

/** Everything about one file: how it is understood, where it goes, its rows and its proof. */
export function NewImport({ item, later }: NewImportProps) {
  const running = useStore(followed);
  const [shown, setShown] = useState<Pick<Fields, 'limit' | 'outcome'>>({ limit: FIRST_LIMIT });
  const query = usePreview(item, shown, { enabled: running.length === 0 });
  const { preview, fields } = useLastRead(query.isPlaceholderData ? undefined : query.data, item);
  const change = (more: Fields): void =>
    changeQueued(item.id, { fields: withoutUndefined({ ...item.fields, ...more }) });
  return (
    <>
      <PageHeader
        title={item.file.name}
        lead={
          later.length === 0 ? 'Nothing is written until you import it.' : `Then ${counted(later.length, 'more file')}.`
        }
        actions={<Button onClick={() => takeFromQueue(item.id)}>Leave this file out</Button>}
      />
      {running.map((one) => (
        <RunningImport key={one.id} one={one} />
      ))}
      {running.length > 0 && <p className="text-muted">This file is read when the one before it has been written.</p>}
      {query.error !== null && (
        <Refused
          item={item}
          error={query.error}
          onRetry={() => void query.refetch()}
          {...(preview ? { onBack: () => changeQueued(item.id, { fields }) } : {})}
        />
      )}
      {!preview && query.error === null && running.length === 0 && <Skeleton lines={10} />}
      {preview && (
        <Parts
          item={item}
          preview={preview}
          change={change}
          shown={shown}
          onShow={setShown}
          isBusy={query.isFetching}
          isRefused={query.error !== null}
        />
      )}
    </>
  );
}

/** While a choice is read, and where it is refused, what was read before stays. */
function useLastRead(
  now: Preview | undefined,
  { fields }: QueuedFile,
): { preview: Preview | undefined; fields: Fields } {
  const [last, setLast] = useState<{ preview: Preview | undefined; fields: Fields }>({ preview: now, fields });
  if (now !== undefined && now !== last.preview) setLast({ preview: now, fields });
  return last;
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

interface RefusedProps {
  item: QueuedFile;
  error: Error;
  onRetry: () => void;
  /** Takes the last choice back. */
  onBack?: () => void;
}

function Refused({ item, error, onRetry, onBack }: RefusedProps) {
  if (isMemberOpen(error)) {
    return (
      <Section title="One question">
        <WhoseAccount item={item} />
      </Section>
    );
  }
  return (
    <>
      <ErrorBanner error={error} isAboutInput onRetry={onRetry} />
      {onBack && (
        <p className="mb-6">
          <Button onClick={onBack}>Take the last choice back</Button>
        </p>
      )}
    </>
  );
}

interface PartsProps extends PartProps {
  shown: Pick<Fields, 'limit' | 'outcome'>;
  onShow: (shown: Pick<Fields, 'limit' | 'outcome'>) => void;
  isBusy: boolean;
  isRefused: boolean;
}

function Parts({ shown, onShow, isBusy, isRefused, ...part }: PartsProps) {
  const { item, preview } = part;
  const question = questionOf(preview);
  return (
    <>
      {question && (
        <Section title="One question">
          <Question item={item} preview={preview} question={question} />
        </Section>
      )}
      <Target {...part} />
      <UnderstoodAs {...part} />
      {preview.headers.length > 0 && <Columns {...part} />}
      <ProofSection proof={preview.balance_proof} accounts={preview.accounts} />
      <Exceptions {...part} />
      <Warnings warnings={preview.warnings} />
      <PreviewRows {...part} shown={shown} onShow={onShow} />
      <Options {...part} />
      <ImportBar {...part} isBusy={isBusy} isRefused={isRefused} isOpen={question !== undefined} />
    </>
  );
}

/** What is imported all the same: each of them is a choice of its own. */
function Exceptions({ item: { fields }, preview, change }: PartProps) {
  const isBroken = preview.balance_proof.status === 'broken';
  const { invalid } = preview.counts;
  if (!isBroken && invalid === 0) return null;
  return (
    <Section title="Import all the same?">
      {isBroken && (
        <TickChoice
          label="Import although it does not add up"
          hint="The rows are written as the file has them. Choose this if you know the reason; otherwise download the file again."
          checked={fields.accept_unproved === true}
          onChange={(isOn) => change({ accept_unproved: isOn || undefined })}
        />
      )}
      {invalid > 0 && (
        <>
          <TickChoice
            label={`Leave out ${counted(invalid, 'unreadable row')}`}
            hint="They stay listed with the import. The other rows are imported."
            checked={fields.skip_invalid === true}
            onChange={(isOn) => change({ skip_invalid: isOn || undefined })}
          />
          <div className="mt-3">
            <ProblemTable rows={preview.problems} />
          </div>
        </>
      )}
    </Section>
  );
}

function Options({ item: { fields }, preview, change }: PartProps) {
  const { pending } = preview.detection.pending.value;
  const has = (field: string): boolean => field in preview.mapping;
  return (
    <Section title="Also">
      <TickChoice
        label="Run the rules on what is new"
        checked={fields.run_rules !== false}
        onChange={(isOn) => change({ run_rules: isOn ? undefined : false })}
      />
      <TickChoice
        label="Remember how this file is read"
        hint="The next file with these columns is then read the same way."
        checked={fields.remember_profile !== false}
        onChange={(isOn) => change({ remember_profile: isOn ? undefined : false })}
      />
      {(pending > 0 || fields.pending === 'import') && (
        <TickChoice
          label="Import what is not booked yet"
          hint="As pending. A later file with the booked rows replaces them."
          checked={fields.pending === 'import'}
          onChange={(isOn) => change({ pending: isOn ? 'import' : undefined })}
        />
      )}
      {has('tags') && (
        <TickChoice
          label="Take over the tags in the file"
          checked={fields.import_tags === true}
          onChange={(isOn) => change({ import_tags: isOn || undefined })}
        />
      )}
      {has('notes') && (
        <TickChoice
          label="Keep the notes in the file"
          hint="With each transaction, under its details."
          checked={fields.import_notes === true}
          onChange={(isOn) => change({ import_notes: isOn || undefined })}
        />
      )}
    </Section>
  );
}

interface ImportBarProps extends PartProps {
  isBusy: boolean;
  isRefused: boolean;
  /** A question is open. */
  isOpen: boolean;
}

/** What an import would do now, and the button that does it; in sight wherever the page is scrolled to. */
function ImportBar({ item, preview, isBusy, isRefused, isOpen }: ImportBarProps) {
  const right = useReasonAgainst('full_access');
  const navigate = useNavigate();
  const send = useImport(item, (accepted: Import) => {
    void navigate({ to: '/imports/$id', params: { id: accepted.short_id } } as never);
  });
  useSendAgain(send);
  const open = isOpen ? 'Answer the question first.' : undefined;
  const refused = isRefused ? 'The last choice does not fit the file.' : undefined;
  const nothing = writtenBy(preview.counts) === 0 ? 'Every row of the file is known already, or left out.' : undefined;
  return (
    <div className="sticky bottom-0 z-10 -mx-4 border-t border-line bg-surface p-4 max-lg:bottom-14">
      {send.error !== null && <ErrorBanner error={send.error} onRetry={() => send.mutate()} />}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-60 wrap-anywhere" role="status">
          <Sentence item={item} preview={preview} />
        </p>
        {send.isPending ? (
          <div className="w-48">
            <ImportProgress progress={undefined} label={`Import of ${item.file.name}`} />
          </div>
        ) : (
          <Button
            look="primary"
            busy={isBusy}
            disabledReason={right ?? refused ?? open ?? nothing}
            onClick={() => send.mutate()}
          >
            {buttonText(preview)}
          </Button>
        )}
      </div>
    </div>
  );
}

import { useRef, useState } from 'react';

import { exportCategories, importCategories } from '../../../src/features/categories/categories.contract.ts';
import { api, ApiError } from '../../api/client.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { counted, listed } from '../../lib/numbers.ts';

type Counts = { created: number; updated: number; deleted: number };

/** The tree as tab-separated text: for a spreadsheet, and back. Nothing is written before its changes were shown. */
export function Exchange({ onClose }: { onClose: () => void }) {
  const right = useReasonAgainst('full_access');
  const input = useRef<HTMLInputElement>(null);
  const [content, setContent] = useState('');
  const [counts, setCounts] = useState<Counts>();
  const [error, setError] = useState<unknown>();
  const write = useApiWrite(importCategories, { undo: 'Categories taken over', onSuccess: onClose });

  async function look(file: File): Promise<void> {
    setCounts(undefined);
    setError(undefined);
    try {
      const text = await file.text();
      setContent(text);
      setCounts(await api.call(importCategories, { body: { content: text, dry_run: true } }));
    } catch (failure) {
      setError(failure);
    }
  }

  return (
    <>
      <p className="mb-3 text-muted">
        One line per category, for a spreadsheet or another Homeledger. Transactions are never changed by it.
      </p>
      <a className={buttonClass()} href={exportCategories.path} download="categories.tsv">
        Download
      </a>
      <h3 className="mt-6 mb-2 font-semibold">Take over a changed table</h3>
      <Button disabledReason={right} onClick={() => input.current?.click()}>
        Choose a file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".tsv,.txt,text/tab-separated-values,text/plain"
        aria-label="Table of categories"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void look(file);
          // The same file can be chosen again once it is corrected.
          currentTarget.value = '';
        }}
      />
      <div className="mt-4">
        {error !== undefined && <Refused error={error} />}
        {write.error && <ErrorBanner error={write.error} />}
        {counts && (
          <TakeOver counts={counts} isBusy={write.isPending} onTakeOver={() => write.mutate({ body: { content } })} />
        )}
      </div>
    </>
  );
}

/** Each problem names its line: nothing of the file is taken over. */
function Refused({ error }: { error: unknown }) {
  const problems = error instanceof ApiError ? (error.body.error.details ?? []) : [];
  if (problems.length === 0) return <ErrorBanner error={error} isAboutInput />;
  return (
    <Banner tone="danger" title={`Nothing was taken over: ${counted(problems.length, 'problem')}`}>
      <ul className="mt-1 list-disc pl-5">
        {problems.map(({ path, message }) => (
          <li key={`${path} ${message}`} className="wrap-anywhere">
            {path}: {message}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

interface TakeOverProps {
  counts: Counts;
  isBusy: boolean;
  onTakeOver: () => void;
}

function TakeOver({ counts: { created, updated, deleted }, isBusy, onTakeOver }: TakeOverProps) {
  if (created + updated + deleted === 0) return <p>Everything in it is here already.</p>;
  const changes = listed([
    created > 0 && `${counted(created, 'category', 'categories')} made`,
    updated > 0 && `${counted(updated, 'category', 'categories')} changed`,
    deleted > 0 && `${counted(deleted, 'category', 'categories')} deleted`,
  ]);
  return (
    <>
      <p className="mb-3">It brings: {changes}.</p>
      <Button look="primary" busy={isBusy} onClick={onTakeOver}>
        Take it over
      </Button>
    </>
  );
}

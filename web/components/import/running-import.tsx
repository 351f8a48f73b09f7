import { getImport } from '../../../src/features/imports/imports.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { inDigits } from '../../lib/numbers.ts';
import type { FollowedImport } from './follow-store.ts';
import { PHASE_WORDS, POLL, type ImportSummary } from './import-words.ts';

/** An import of this browser that has not ended. */
export function RunningImport({ one }: { one: FollowedImport }) {
  const { data } = useApiQuery(getImport, { params: { id: one.id } }, POLL);
  return (
    <div className="mb-4">
      <p className="mb-1 font-medium wrap-anywhere">
        <bdi>{one.fileName}</bdi>
      </p>
      <ImportProgress progress={data?.progress} label={`Import of ${one.fileName}`} />
    </div>
  );
}

interface ImportProgressProps {
  progress: ImportSummary['progress'] | undefined;
  label: string;
}

/** How far an import is, by phase. */
export function ImportProgress({ progress, label }: ImportProgressProps) {
  const words = progress ? PHASE_WORDS[progress.phase] : 'Sending the file';
  const isKnown = progress !== undefined && progress.total > 0;
  return (
    <div>
      <progress aria-label={label} className="progress" max={100} {...(isKnown ? { value: progress.percent } : {})} />
      <p className="text-sm text-muted tabular-nums">
        {words}
        {isKnown && `: ${inDigits(progress.done)} of ${inDigits(progress.total)} rows`}
      </p>
    </div>
  );
}

import { useWatch } from 'react-hook-form';

import { composeWorkflowPrompt, previewCron } from '../../../src/features/workflows/workflows.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { LANGUAGE } from '../../lib/language.ts';
import { counted } from '../../lib/numbers.ts';
import { useSettled } from '../../lib/settled.ts';
import { blocksOf, type EditorValues, type Preset } from './workflow-values.ts';

/** The prompt that would be saved, as the server composes it. */
export function ComposedPrompt({ preset }: { preset: Preset | undefined }) {
  const values = useSettled(useWatch() as EditorValues);
  const blocks = blocksOf(values);
  const isOfPreset = preset !== undefined && blocks.join() === preset.prompt_blocks.join();
  const parts = isOfPreset ? { preset: preset.slug, options: values.options } : { prompt_blocks: blocks };
  const composed = useApiQuery(
    composeWorkflowPrompt,
    { body: { ...parts, extra_instructions: values.extra_instructions } },
    { placeholderData: (before) => before },
  );
  const { data, error } = composed;
  return (
    <details className="mb-4">
      <summary className="target inline-flex items-center font-medium">
        Composed prompt
        {data && (
          <span className="font-normal text-muted">
            {`: ${counted(data.characters, 'character')}, about ${counted(data.token_estimate, 'token')}`}
          </span>
        )}
      </summary>
      {error !== null && <p className="py-2 text-danger">{error.message}</p>}
      {data && <p className="py-2 text-sm wrap-anywhere whitespace-pre-wrap">{data.prompt}</p>}
    </details>
  );
}

/** The next starts, or why there are none. */
export function NextStarts() {
  const expression = useSettled(useWatch({ name: 'schedule_cron' }) as string).trim();
  const preview = useApiQuery(previewCron, { query: { expression } }, { enabled: expression !== '' });
  return (
    <div className="mb-4 text-sm" aria-live="polite">
      {preview.error !== null && <p className="text-danger">{preview.error.message}</p>}
      {preview.data && (
        <>
          <p className="text-muted">Next starts, if it is enabled (times of the household: {preview.data.timezone}):</p>
          <ul className="list-disc pl-5">
            {preview.data.next.map((at) => (
              <li key={at}>
                <time dateTime={at}>{inZone(preview.data.timezone).format(new Date(at))}</time>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** The household may live in another time zone than this browser. */
function inZone(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'full', timeStyle: 'short', timeZone });
}

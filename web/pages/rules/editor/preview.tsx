import { ApiError } from '../../../api/client.ts';
import { ErrorBanner } from '../../../components/banner.tsx';
import { fieldInWords, SampleMatches, valueInWords } from '../../../components/rule/sample-matches.tsx';
import { ruleSentence } from '../../../components/rule/sentence.tsx';
import { useRuleNames } from '../../../components/rule/use-rule-names.ts';
import { Skeleton } from '../../../components/skeleton.tsx';
import { counted, inDigits } from '../../../lib/numbers.ts';
import { PageLinkIfThere } from '../../../lib/page-link-if-there.tsx';
import { LINK } from '../../../lib/page-link.tsx';
import type { Draft } from './actions.ts';
import type { Preview, RulePreview } from './use-rule-preview.ts';
import type { StoredRule, Values } from './values.ts';

interface PreviewPanelProps {
  values: Values;
  preview: RulePreview;
  stored: StoredRule | undefined;
  /** Why it cannot be asked for. */
  reason: string | undefined;
}

/** What the rule would do if it ran now. Nothing of it is stored. */
export function PreviewPanel({ values, preview, stored, reason }: PreviewPanelProps) {
  const names = useRuleNames();
  return (
    <section aria-labelledby="rule-preview" className="min-w-0">
      <h2 id="rule-preview" className="mb-2 text-lg font-semibold">
        What it would do now
      </h2>
      {!preview.isIncomplete && reason === undefined && (
        <p className="mb-3 wrap-anywhere">
          {ruleSentence({ condition: values.condition, actions: preview.chosen }, names)}
        </p>
      )}
      {reason === undefined ? (
        <Answer preview={preview} stored={stored} values={values} />
      ) : (
        <p className="text-muted">{reason}</p>
      )}
    </section>
  );
}

interface AnswerProps {
  preview: RulePreview;
  stored: StoredRule | undefined;
  values: Values;
}

function Answer({ preview, stored, values }: AnswerProps) {
  const { data, error, isIncomplete, isOld, problems } = preview;
  if (isIncomplete) return <p className="text-muted">Fill in the conditions to see what matches.</p>;
  if (error !== null) {
    const isOfRule = error instanceof ApiError && problems.length > 0;
    return isOfRule ? (
      <p className="text-muted">What is wrong is said where it stands. Then the preview comes back.</p>
    ) : (
      <ErrorBanner error={error} onRetry={preview.refetch} />
    );
  }
  if (!data) return <Skeleton lines={6} />;
  return (
    <div aria-busy={isOld}>
      <Counts data={data} preview={preview} actions={values.actions} />
      <Conflicts data={data} stored={stored} priority={values.priority} />
      {data.sample_matches.length > 0 && (
        <>
          <h3 className="mt-4 mb-1 text-sm font-medium text-muted">
            {data.match_count > data.sample_matches.length
              ? `The newest ${inDigits(data.sample_matches.length)} of them`
              : 'All of them'}
          </h3>
          <SampleMatches samples={data.sample_matches} />
        </>
      )}
    </div>
  );
}

/** Why something is left as it is; only metadata has limits, and a category may be archived after the rule was saved. */
export function skippedInWords(count: number, actions: Values['actions']): string {
  const mayBeLimit = (actions as readonly Draft[]).some(({ type }) => type === 'set_metadata');
  const reason = mayBeLimit
    ? 'a person or agent chose it, or there is too much metadata'
    : 'a person or agent chose it';
  return `${counted(count, 'keeps', 'keep')} something as it is, because ${reason}.`;
}

function Counts({ data, preview, actions }: { data: Preview; preview: RulePreview; actions: Values['actions'] }) {
  const { match_count: matches, change_count: changes, skipped_count: skipped, truncated } = data;
  const { isOld, isCounting } = preview;
  const least = truncated ? 'At least ' : '';
  return (
    <div role="status">
      <p className="tabular-nums">
        <strong className="font-serif text-2xl font-semibold">{inDigits(matches)}</strong>{' '}
        <span className="text-muted">
          {matches === 1 ? 'transaction matches' : 'transactions match'}
          {truncated && ' so far'}
        </span>
      </p>
      <p className="text-sm">
        {preview.chosen.length === 0
          ? 'It does nothing with them yet: choose an action.'
          : matches === 0
            ? ''
            : changes === 0
              ? `None would change${skipped === 0 ? ': they are as the rule wants them' : ''}.`
              : `${least}${counted(changes, 'would change', 'would change')}.`}{' '}
        {skipped > 0 && (
          <>
            {least}
            {skippedInWords(skipped, actions)}
          </>
        )}
      </p>
      <p className="text-sm text-muted tabular-nums">{isOld ? 'Counting again.' : scannedInWords(data, isCounting)}</p>
    </div>
  );
}

function scannedInWords({ total_scanned: scanned, truncated }: Preview, isCounting: boolean): string {
  if (!truncated) return `Of ${counted(scanned, 'transaction')}.`;
  const newest = `Of the newest ${counted(scanned, 'transaction')}`;
  return isCounting ? `${newest}; the others are being counted.` : `${newest}: counting took too long to go on.`;
}

const SHOWN = 3;

/** Other rules that want something else of the same transactions. */
function Conflicts({ data, stored, priority }: { data: Preview; stored: StoredRule | undefined; priority: number }) {
  const names = useRuleNames();
  // The rule as it is stored is not another one.
  const others = data.conflicts.filter(({ rule_id: id }) => id !== stored?.id);
  if (others.length === 0) return null;
  return (
    <div className="mt-3 rounded-control bg-warning-soft p-3 text-sm">
      <p className="font-medium">Other rules want something else</p>
      <ul>
        {others.slice(0, SHOWN).map((one) => (
          <li key={`${one.rule_id} ${one.facet}`} className="mt-1 wrap-anywhere">
            <PageLinkIfThere to="/rules/{id}" params={{ id: one.short_id }} otherwise={<bdi>{one.name}</bdi>}>
              {(link) => link(<bdi>{one.name}</bdi>, LINK)}
            </PageLinkIfThere>
            {`: ${fieldInWords(one.facet)} ${valueInWords(one.facet, one.other_value, names)}, of `}
            {counted(one.overlap_count, 'transaction')}. {winnerInWords(one, stored !== undefined, priority)}
          </li>
        ))}
      </ul>
      {others.length > SHOWN && <p className="mt-1 text-muted">And {inDigits(others.length - SHOWN)} more.</p>}
    </div>
  );
}

/** A stored rule keeps its place among those of equal priority, which a preview does not know. */
function winnerInWords({ winner, priority: other }: Preview['conflicts'][number], isStored: boolean, own: number) {
  if (isStored && other === own) return 'Both have the same priority: the one that was made later wins.';
  return winner === 'this' ? 'This rule runs later and wins.' : 'The other rule wins.';
}

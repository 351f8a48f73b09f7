import type { OutputOf } from '../../../src/contract/operation.ts';
import type { previewRule } from '../../../src/features/rules/rule-insights.contract.ts';
import { inText } from './sentence-parts.ts';
import { formatMoney } from '../money.tsx';
import { TransactionRow } from '../transaction/transaction-row.tsx';
import type { RuleNames } from './rule-names.ts';
import { useRuleNames } from './use-rule-names.ts';

type Sample = OutputOf<typeof previewRule>['sample_matches'][number];
type Change = Sample['changes'][number];
type Reason = Sample['skipped'][number]['reason'];

const REASONS: Readonly<Record<Reason, string>> = {
  locked: 'Left as it is, because a person or agent chose it',
  archived: 'Not done, because the category is archived',
  limit: 'Not done, because it would have too much metadata',
};

/** The newest transactions that a rule matches, each with what it would change: before → after. */
export function SampleMatches({ samples }: { samples: readonly Sample[] }) {
  const names = useRuleNames();
  return (
    <ul aria-label="The newest that match" className="divide-y divide-line">
      {samples.map(({ transaction, changes, skipped }) => (
        <li key={transaction.id} className="py-1">
          <TransactionRow transaction={transaction} withDate withoutAccount density="compact" />
          <ul className="mb-1 pl-9 text-sm">
            {shownOf(changes).map((change) => (
              <li key={change.field} className="wrap-anywhere">
                <ChangeInWords change={change} names={names} />
              </li>
            ))}
            {[...new Set(skipped.map(({ reason }) => reason))].map((reason) => (
              <li key={reason} className="text-muted">
                {REASONS[reason]}
              </li>
            ))}
            {changes.length === 0 && skipped.length === 0 && <li className="text-muted">It already is so</li>}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** That the rule decided it is said only where the category itself stays. */
function shownOf(changes: readonly Change[]): readonly Change[] {
  const isCategoryChanged = changes.some(({ field }) => field === 'category');
  return changes.filter(({ field }) => field !== 'category_source' || !isCategoryChanged);
}

function ChangeInWords({ change: { field, before, after }, names }: { change: Change; names: RuleNames }) {
  if (field === 'category_source') return <>The category stays, and the rule has decided it</>;
  if (field.startsWith('tag:')) {
    return (
      <>
        {after === true ? 'Add' : 'Remove'} the tag <strong>{names.tag(field.slice('tag:'.length))}</strong>
      </>
    );
  }
  if (field === 'flagged') return <>{after === true ? 'Flag it' : 'Take the flag off'}</>;
  if (field === 'comment') return <>Comment: {String(after)}</>;
  return (
    <>
      {fieldInWords(field)}: <bdi>{valueInWords(field, before, names)}</bdi> <span aria-hidden>→</span>
      <span className="sr-only">becomes</span>{' '}
      <strong>
        <bdi>{valueInWords(field, after, names)}</bdi>
      </strong>
    </>
  );
}

/** What two rules can want differently of a transaction, or one can change. */
export function fieldInWords(field: string): string {
  if (field.startsWith('metadata.')) return field.slice('metadata.'.length);
  if (field.startsWith('tag:')) return `Tag ${field.slice('tag:'.length)}`;
  return field.charAt(0).toUpperCase() + field.slice(1);
}

/** A value in the form of a change (40.8.3). */
export function valueInWords(field: string, value: unknown, names: RuleNames): string {
  if (value === null || value === undefined) return 'none';
  if (field === 'category' && typeof value === 'string') return inText([names.category(value)], formatMoney);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const { name, value: inner } = value as { name?: unknown; value?: unknown };
  if (typeof name === 'string') return name;
  return typeof inner === 'string' ? inner : JSON.stringify(inner ?? value);
}

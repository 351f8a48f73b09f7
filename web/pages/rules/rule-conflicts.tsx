import type { OutputOf } from '../../../src/contract/operation.ts';
import { listRuleConflicts } from '../../../src/features/rules/rule-insights.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { RecordName } from '../../components/changes/record-name.tsx';
import { Section } from '../../components/page-header.tsx';
import { RuleName } from '../../components/rule/rule-name.tsx';
import type { RuleNames } from '../../components/rule/rule-names.ts';
import { fieldInWords, valueInWords } from '../../components/rule/sample-matches.tsx';
import { useRuleNames } from '../../components/rule/use-rule-names.ts';
import { Loaded } from '../../components/skeleton.tsx';
import { counted, inDigits } from '../../lib/numbers.ts';

type Conflict = OutputOf<typeof listRuleConflicts>['conflicts'][number];

/** Other rules that meet this one on the same transactions and want something else. */
export function RuleConflicts({ ruleId }: { ruleId: string }) {
  const conflicts = useApiQuery(listRuleConflicts, { params: { id: ruleId } }, { staleTime: 60_000 });
  const names = useRuleNames();
  return (
    <Section title="Conflicts">
      <Loaded query={conflicts} lines={3}>
        {({ conflicts: found, total_scanned: scanned, truncated }) => (
          <>
            {found.length === 0 ? (
              <p className="text-muted">No other rule wants something else of the same transactions.</p>
            ) : (
              <ul className="divide-y divide-line">
                {found.map((one) => (
                  <li key={`${one.rule_id} ${one.facet}`} className="py-3 first:pt-0 last:pb-0">
                    <ConflictInWords conflict={one} names={names} />
                  </li>
                ))}
              </ul>
            )}
            {truncated && (
              <p className="mt-3 text-sm text-muted">
                Only the newest {inDigits(scanned)} transactions were looked at.
              </p>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function ConflictInWords({ conflict, names }: { conflict: Conflict; names: RuleNames }) {
  const { short_id: id, name, priority, facet, this_value: own, other_value: other, winner } = conflict;
  return (
    <>
      <p className="wrap-anywhere">
        <RuleName id={id} name={name} isQuoted /> (priority {inDigits(priority)}) meets it on{' '}
        {counted(conflict.overlap_count, 'transaction')}. {winner === 'other' ? 'The other one wins' : 'This one wins'}:{' '}
        {fieldInWords(facet).toLowerCase()}{' '}
        <strong>
          <bdi>{valueInWords(facet, winner === 'other' ? other : own, names)}</bdi>
        </strong>
        , not <bdi>{valueInWords(facet, winner === 'other' ? own : other, names)}</bdi>.
      </p>
      <details className="mt-1 text-sm">
        <summary className="target inline-flex cursor-pointer items-center text-muted">Show some of them</summary>
        <ul className="mt-1 space-y-1">
          {conflict.sample_transaction_ids.map((transaction) => (
            <li key={transaction}>
              <RecordName type="transaction" id={transaction} known={undefined} />
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

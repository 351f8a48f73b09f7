import { listChangeSets } from '../../../src/features/change-sets/change-sets.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { ChangeSetEntry } from '../../components/changes/change-set-entry.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';

const SHOWN = 20;

/** What was changed about the rule and by applying it alone, newest first, with the way back. */
export function RuleHistory({ ruleId }: { ruleId: string }) {
  const ofRule = { entity_type: ['rule' as const], entity_id: ruleId };
  const about = useApiQuery(listChangeSets, { query: { ...ofRule, limit: String(SHOWN) } });
  const runs = useApiQuery(listChangeSets, { query: { rule_id: ruleId, limit: String(SHOWN) } });
  const both = {
    data: about.data && runs.data && [...about.data.change_sets, ...runs.data.change_sets],
    error: about.error ?? runs.error,
    refetch: () => Promise.all([about.refetch(), runs.refetch()]),
  };
  return (
    <Section
      title="History"
      actions={
        <PageLink to="/history" search={{ entity_type: 'rule', entity_id: ruleId }} className={LINK_ALONE}>
          In the history
        </PageLink>
      }
    >
      <Loaded query={both} lines={4}>
        {(sets) => (
          <ul className="divide-y divide-line">
            {[...new Map(sets.map((set) => [set.id, set])).values()]
              .toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
              .slice(0, SHOWN)
              .map((set) => (
                <li key={set.id} className="py-3 first:pt-0 last:pb-0">
                  <ChangeSetEntry set={set} when={<Instant at={set.created_at} />} isLong />
                </li>
              ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

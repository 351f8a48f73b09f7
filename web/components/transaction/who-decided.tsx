import type { OutputOf } from '../../../src/contract/operation.ts';
import type { explainTransaction } from '../../../src/features/rules/rule-insights.contract.ts';
import { Instant } from '../instant.tsx';
import { RuleName } from '../rule/rule-name.tsx';
import type { TransactionRecord } from './transaction-row.tsx';

export type Explanation = OutputOf<typeof explainTransaction>;
export type Decision = Explanation['fields'][number];

/** "Rule “Markets” decided it, 3 days ago": who is behind a value. Nothing where it was never written. */
export function WhoDecided({ decision }: { decision: Decision | undefined }) {
  if (!decision || decision.source === null) return null;
  const { at } = decision;
  return (
    <>
      <Decider decision={decision} />
      {at !== null && (
        <>
          {', '}
          <Instant at={at} />
        </>
      )}
    </>
  );
}

function Decider({ decision }: { decision: Decision }) {
  const { source, by, rule_id: rule, rule_name: name } = decision;
  if (source === 'rule') {
    if (name === null) return <>A rule decided it</>;
    return (
      <>
        Rule {decision.rule_exists === true && rule ? <RuleName id={rule} name={name} isQuoted /> : `“${name}”`} decided
        it
      </>
    );
  }
  if (source === 'provider') return <>From the category of the bank or file</>;
  const who = by?.name ?? (source === 'agent' ? 'An agent' : 'A person');
  return <>{source === 'agent' ? `Agent ${who} decided it` : `${who} decided it`}</>;
}

/** Why the category is what it is, and what would change it. */
export function WhyCategory({ record, decision }: { record: TransactionRecord; decision: Decision | undefined }) {
  const { category_source: source = null } = record;
  return (
    <>
      {source === null ? 'Nobody has decided it' : <WhoDecided decision={decision ?? unexplained(source)} />}
      {'. '}
      {decision?.rule_exists === false && 'That rule is gone. '}
      {decision?.rule_changed_since === true && 'That rule has changed since. '}
      {WHAT_CHANGES_IT[source ?? 'nobody']}
    </>
  );
}

const WHAT_CHANGES_IT = {
  person: 'Rules, imports and syncs leave it as it is. Change it here, or reset it to let them decide again.',
  agent: 'Rules, imports and syncs leave it as it is. Change it here, or reset it to let them decide again.',
  rule: 'It changes if you choose one here, or if a later rule sets another.',
  provider: 'It changes if you choose one here, if a rule sets one, or if the bank sends another.',
  nobody: 'Choose one here, or make a rule that sets it.',
} as const;

/** While the explanation is not there yet, or cannot be had: of a deleted transaction there is none. */
function unexplained(source: NonNullable<TransactionRecord['category_source']>): Decision {
  const nothing = { by: null, rule_id: null, rule_name: null, rule_exists: null, rule_changed_since: null };
  return { field: 'category', value: null, source, locked: false, ...nothing, change_set_id: null, at: null };
}

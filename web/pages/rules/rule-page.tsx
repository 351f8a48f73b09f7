import { getRule } from '../../../src/features/rules/rules.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { BackLink } from '../../components/back-link.tsx';
import { DefinitionList, type Definition } from '../../components/definition-list.tsx';
import { Instant } from '../../components/instant.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { TRIGGER_WORDS, type Rule } from '../../components/rule/rule-words.ts';
import { RuleSentence } from '../../components/rule/sentence.tsx';
import { useRuleNames } from '../../components/rule/use-rule-names.ts';
import { Loaded } from '../../components/skeleton.tsx';
import { inDigits } from '../../lib/numbers.ts';
import { usePageParams } from '../../lib/page-link.tsx';

/** One rule: what it does, how it is set, and what it has done. */
export default function RulePage() {
  const { id = '' } = usePageParams();
  const rule = useApiQuery(getRule, { params: { id } });
  return (
    <>
      <BackLink to="/rules">Rules</BackLink>
      {rule.data === undefined && <PageHeader title="Rule" />}
      <Loaded query={rule} lines={8}>
        {(found) => <RuleView key={found.id} rule={found} />}
      </Loaded>
    </>
  );
}

function RuleView({ rule }: { rule: Rule }) {
  const names = useRuleNames();
  return (
    <>
      <PageHeader title={rule.name} lead={<RuleSentence rule={rule} names={names} isCut />} />
      <Section title="How it is set">
        <DefinitionList items={settingsOf(rule)} />
      </Section>
    </>
  );
}

function settingsOf(rule: Rule): Definition[] {
  return [
    { term: 'State', value: rule.enabled ? 'On' : 'Off' },
    { term: 'Priority', value: inDigits(rule.priority), note: 'From 0 to 1,000; what runs later wins.' },
    { term: 'Runs', value: rule.triggers.map((one) => TRIGGER_WORDS[one].long).join('; ') },
    { term: 'Where it matches', value: rule.stop ? 'Later rules are left out' : 'Later rules run too' },
    {
      term: 'What people and agents chose',
      value: rule.overwrite_manual ? 'is overwritten' : 'stays as it is',
    },
    { term: 'Until', value: <Instant isPlanned at={rule.expires_at} never="no end" /> },
    { term: 'Matched', value: rule.hit_count === 0 ? 'never' : inDigits(rule.hit_count) },
    { term: 'Last matched', value: <Instant at={rule.last_hit_at} /> },
    { term: 'Made by', value: <bdi>{rule.creator_name}</bdi>, note: <Instant at={rule.created_at} /> },
  ];
}

import { useState } from 'react';

import { RowSwitch } from '../../components/choice-fields.tsx';
import { Section } from '../../components/page-header.tsx';
import { RuleSentence } from '../../components/rule/sentence.tsx';
import { useRuleNames } from '../../components/rule/use-rule-names.ts';

const SHORT = {
  condition: {
    and: [
      { field: 'name', op: 'contains', value: 'rewe' },
      { field: 'iso_currency_code', op: 'eq', value: 'EUR' },
      { field: 'amount', op: 'gt', value: '100.00' },
    ],
  },
  actions: [
    { type: 'set_category', category_slug: 'food_and_drink_groceries' },
    { type: 'add_tag', tag_slug: 'food' },
  ],
};
const LONG = {
  condition: {
    or: [
      { field: 'merchant_name', op: 'in', value: Array.from({ length: 40 }, (_, index) => `Corner shop ${index + 1}`) },
      { not: { and: [SHORT.condition, { field: 'pending', op: 'eq', value: true }] } },
    ],
  },
  actions: [{ type: 'flag' }, { type: 'add_comment', content: 'Is this one ours?' }],
};

/** What a rule does, in one sentence, and the switch of a row. */
export function RuleSamples() {
  const names = useRuleNames();
  const [isOn, setOn] = useState(true);
  return (
    <Section title="Rules">
      <p className="mb-3">
        <RuleSentence rule={SHORT} names={names} />
      </p>
      <p className="mb-3">
        <RuleSentence rule={LONG} names={names} isCut />
      </p>
      <div className="flex gap-4">
        <RowSwitch label="The first rule is on" checked={isOn} onChange={setOn} />
        <RowSwitch
          label="The second rule is on"
          checked={false}
          onChange={() => undefined}
          disabledReason="Viewers cannot make changes."
        />
      </div>
    </Section>
  );
}

import { useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { previewRule, type suggestRules } from '../../../src/features/rules/rule-insights.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { ActionLink } from '../../components/action-link.tsx';
import { Button } from '../../components/button.tsx';
import { SampleMatches } from '../../components/rule/sample-matches.tsx';
import { RuleSentence } from '../../components/rule/sentence.tsx';
import { useRuleNames } from '../../components/rule/use-rule-names.ts';
import { Loaded } from '../../components/skeleton.tsx';
import { inWords } from '../../lib/days.ts';
import { newRuleSearch } from '../../lib/new-rule.ts';
import { counted, inDigits } from '../../lib/numbers.ts';

type Suggestion = OutputOf<typeof suggestRules>['suggestions'][number];

const AT_ONCE = 10;
const FRESH = { staleTime: 60_000 } as const;

/** Each with its sentence, why it is suggested, a preview, and the editor that makes it. */
export default function SuggestionList({ suggestions }: { suggestions: readonly Suggestion[] }) {
  const [count, setCount] = useState(AT_ONCE);
  if (suggestions.length === 0) {
    return (
      <p className="py-2 text-muted">
        None now. Once three transactions of a merchant are filed by hand in one category, a rule for it is suggested.
      </p>
    );
  }
  return (
    <>
      <ul aria-label="Suggested rules" className="divide-y divide-line">
        {suggestions.slice(0, count).map((one) => (
          <li key={one.text} className="py-3">
            <Suggested one={one} />
          </li>
        ))}
      </ul>
      {suggestions.length > count && (
        <Button look="quiet" onClick={() => setCount(count + AT_ONCE)}>
          Show more
        </Button>
      )}
    </>
  );
}

function Suggested({ one }: { one: Suggestion }) {
  const [isOpen, setOpen] = useState(false);
  const { text, rule, transaction_count: count, last_date: last, would_change_count: changes } = one;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-48 flex-1 wrap-anywhere">
          <p>
            <RuleSentence rule={rule} names={useRuleNames()} isCut />
          </p>
          <p className="text-sm text-muted">
            Filed by hand {counted(count, 'time')}, last on {inWords(last)}.{' '}
            {changes === 0 ? 'It would change nothing that is there now.' : `It would change ${inDigits(changes)} now.`}
          </p>
        </div>
        <span className="flex flex-wrap gap-2">
          <Button look="quiet" aria-expanded={isOpen} aria-label={`Preview: ${text}`} onClick={() => setOpen(!isOpen)}>
            Preview
          </Button>
          <ActionLink to="/rules/new" search={newRuleSearch(rule)}>
            Make this rule
          </ActionLink>
        </span>
      </div>
      {isOpen && <Preview rule={rule} />}
    </>
  );
}

function Preview({ rule }: { rule: Suggestion['rule'] }) {
  const preview = useApiQuery(previewRule, { body: rule }, FRESH);
  return (
    <div className="mt-3 rounded-card bg-sunken p-4">
      <Loaded query={preview} lines={4}>
        {({ match_count: matches, change_count: changes, skipped_count: kept, total_scanned: scanned, ...rest }) => (
          <>
            <p>
              {rest.truncated && `Of the newest ${counted(scanned, 'transaction')}: `}
              {counted(matches, 'transaction')} {matches === 1 ? 'matches' : 'match'}, {inDigits(changes)} would change.
              {kept > 0 && ` On ${inDigits(kept)} something stays as it is, such as what a person chose.`}
            </p>
            <SampleMatches samples={rest.sample_matches} />
          </>
        )}
      </Loaded>
    </div>
  );
}

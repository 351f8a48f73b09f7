import { Check, CircleSlash, X } from 'lucide-react';
import { useState } from 'react';

import { explainTransaction } from '../../../src/features/rules/rule-insights.contract.ts';
import { useCategories } from '../../api/lists.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Button } from '../button.tsx';
import { AmountsInText } from '../money.tsx';
import { RuleName } from '../rule/rule-name.tsx';
import { Loaded } from '../skeleton.tsx';
import { readTrace, type Trace } from './rule-trace.ts';
import type { TransactionRecord } from './transaction-row.tsx';
import type { Explanation } from './who-decided.tsx';

type Rule = Explanation['rules'][number];

/** What the rules say about the transaction now: those that match, or all of them. */
export function ExplainedRules({ record }: { record: TransactionRecord }) {
  const [include, setInclude] = useState<'matched' | 'all'>('matched');
  const explained = useApiQuery(
    explainTransaction,
    { params: { id: record.id }, query: { include } },
    { placeholderData: (earlier) => earlier },
  );
  return (
    <Loaded query={explained} lines={2}>
      {({ rules, would_change: changes }) => (
        <>
          {rules.length === 0 && (
            <p className="text-muted">{include === 'all' ? 'There are no rules yet.' : 'No rule matches it.'}</p>
          )}
          <ul>
            {rules.map((rule) => (
              <ExplainedRule key={rule.id} rule={rule} />
            ))}
          </ul>
          {changes.length > 0 && (
            <p className="mt-2 text-sm">Applying the rules again now would change {changes.length} of its values.</p>
          )}
          <Button look="quiet" className="mt-2" onClick={() => setInclude(include === 'all' ? 'matched' : 'all')}>
            {include === 'all' ? 'Only rules that match' : 'All rules, with why not'}
          </Button>
        </>
      )}
    </Loaded>
  );
}

const RESULTS: Readonly<Record<string, string>> = {
  changes: 'would change it',
  no_change: 'it already is so',
  overridden: 'a later rule decides it',
  locked: 'left alone, because a person or agent chose it',
  archived: 'not done, because its category is archived',
  limit: 'not done, because a limit is reached',
  not_run: 'not done, because the rule does not match',
};

function ExplainedRule({ rule }: { rule: Rule }) {
  const trace = readTrace(rule.trace);
  const effect = useEffectInWords(rule.effect);
  return (
    <li className="border-b border-line last:border-b-0">
      <details className="py-2">
        <summary className="target flex items-center gap-2">
          <Outcome result={rule.matches} />
          <span className="min-w-0 flex-1 wrap-anywhere">
            <bdi className="font-medium">{rule.name}</bdi>
            <span className="block text-sm text-muted">{effect}</span>
          </span>
        </summary>
        <div className="pb-2 pl-6">
          {trace === null ? (
            <p className="text-sm text-muted">An earlier rule stopped the run before this one.</p>
          ) : (
            <ul aria-label="Conditions">
              <TraceNode node={trace} />
            </ul>
          )}
          <ul className="mt-2 text-sm" aria-label="Actions">
            {rule.actions.map(({ action, type, result }) => (
              <li key={action}>
                {type.replaceAll('_', ' ')}: <span className="text-muted">{RESULTS[result] ?? result}</span>
              </li>
            ))}
          </ul>
          <p className="mt-2 text-sm text-muted">
            Rule <RuleName id={rule.short_id} name={rule.name} isQuoted />, priority {rule.priority}
            {rule.enabled ? '' : ', switched off'}
          </p>
        </div>
      </details>
    </li>
  );
}

/** The effect names a category by its slug, and people know it by its name. */
function useEffectInWords(effect: string): string {
  const nameOf = useCategoryNames();
  return effect.replaceAll(/(?<=set category )[a-z0-9_]+/g, nameOf);
}

function useCategoryNames(): (slug: string) => string {
  const all = useCategories();
  return (slug) => [...(all?.values() ?? [])].find((category) => category.slug === slug)?.name ?? slug;
}

const GROUPS = { and: 'All of', or: 'Any of', not: 'Not' } as const;

function TraceNode({ node }: { node: Trace }) {
  if (node.kind === 'all') {
    return (
      <li className="flex items-center gap-2">
        <Outcome result={node.result} /> Every transaction
      </li>
    );
  }
  if (node.kind === 'leaf') return <TraceLeaf leaf={node} />;
  return (
    <li>
      <span className="flex items-center gap-2">
        <Outcome result={node.result} /> {GROUPS[node.kind]}
      </span>
      <ul className="ml-2 border-l border-line pl-4">
        {node.children.map((child) => (
          <TraceNode key={child.path} node={child} />
        ))}
      </ul>
    </li>
  );
}

function TraceLeaf({ leaf }: { leaf: Extract<Trace, { kind: 'leaf' }> }) {
  const nameOf = useCategoryNames();
  const isCategory = leaf.field === 'category' || leaf.field === 'category_slug';
  const inWords = (value: unknown): string => valueInWords(value, isCategory ? nameOf : undefined);
  return (
    <li className="flex items-baseline gap-2">
      <Outcome result={leaf.result} />
      <span className="min-w-0 wrap-anywhere">
        {leaf.field.replaceAll('_', ' ')} {OPERATORS[leaf.op] ?? leaf.op.replaceAll('_', ' ')}{' '}
        <strong>
          <AmountsInText text={inWords(leaf.expected)} />
        </strong>
        <span className="text-sm text-muted">
          {' – it is '}
          <AmountsInText text={inWords(leaf.actual)} />
        </span>
      </span>
    </li>
  );
}

const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'is',
  neq: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  contains: 'contains',
  not_contains: 'does not contain',
  matches: 'matches the pattern',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  approx: 'is about',
  exists: 'is there',
  not_exists: 'is not there',
};

function valueInWords(value: unknown, nameOf = (text: string) => text): string {
  if (value === null || value === undefined || value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' || typeof value === 'number') return `“${nameOf(String(value))}”`;
  if (Array.isArray(value))
    return value.length === 0 ? 'empty' : value.map((one) => valueInWords(one, nameOf)).join(', ');
  return Object.entries(value)
    .map(([key, part]) => `${key} ${valueInWords(part, nameOf)}`)
    .join(', ');
}

function Outcome({ result }: { result: boolean | null }) {
  const words = result === null ? 'not reached' : result ? 'matches' : 'does not match';
  const Icon = result === null ? CircleSlash : result ? Check : X;
  return (
    <span title={words} className={`shrink-0 self-center ${result === true ? 'text-success' : 'text-muted'}`}>
      <Icon role="img" aria-label={words} size={16} />
    </span>
  );
}

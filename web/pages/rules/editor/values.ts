import type { OutputOf } from '../../../../src/contract/operation.ts';
import { RuleAction } from '../../../../src/features/rules/rule-language.contract.ts';
import { NewRule } from '../../../../src/features/rules/rule-record.contract.ts';
import type { getRule } from '../../../../src/features/rules/rules.contract.ts';
import type { RuleInput, RuleStart } from '../../../lib/new-rule.ts';
import { freshAction, isChosen, type Draft } from './actions.ts';
import { isComplete, NEW_TEST } from './tests.ts';
import { fromJson, leafOf, leavesOf, pathsOf, toJson, type Problem } from './tree.ts';

export type StoredRule = OutputOf<typeof getRule>;

/** What the editor asks for: a body of POST /rules, with every field. */
export type Values = { [K in keyof Required<RuleInput>]: Exclude<RuleInput[K], undefined> };

const FRESH: Values = {
  name: '',
  enabled: true,
  priority: 100,
  condition: toJson(leafOf(NEW_TEST)),
  actions: [freshAction('set_category')],
  triggers: ['sync', 'retroactive', 'manual'],
  overwrite_manual: false,
  stop: false,
  expires_at: null,
};
const NAMES = Object.keys(FRESH) as (keyof Values)[];

export function valuesOf(rule: StoredRule): Values {
  return Object.fromEntries(NAMES.map((name) => [name, rule[name]])) as unknown as Values;
}

/** What a new rule begins with; of an address that somebody wrote by hand, what can be used. */
export function startingWith(start: RuleStart): Values {
  const usable = NAMES.filter((name) => start[name] !== undefined && isUsable(name, start[name]));
  return { ...FRESH, ...Object.fromEntries(usable.map((name) => [name, start[name]])) };
}

function isUsable(name: keyof Values, value: unknown): boolean {
  if (name === 'condition') return fromJson(value).problems.length === 0;
  if (name === 'actions') return Array.isArray(value) && value.every((one) => RuleAction.safeParse(one).success);
  return NewRule.shape[name].safeParse(value).success;
}

/** What has not been filled in yet, where it is missing. */
export function gapsOf({ condition, actions }: Pick<Values, 'condition' | 'actions'>): Problem[] {
  const { tree } = fromJson(condition);
  const paths = pathsOf(tree);
  const empty = leavesOf(tree).filter((leaf) => !isComplete(leaf));
  const unchosen = (actions as readonly Draft[]).flatMap((action, at) =>
    isChosen(action) ? [] : [{ path: `actions[${at}]`, message: 'Fill this in, or remove the action.' }],
  );
  return [
    ...empty.map(({ id }) => ({ path: paths.get(id) ?? '', message: 'Fill this in, or remove the condition.' })),
    ...(actions.length === 0 ? [{ path: 'actions', message: 'A rule has to do something: add an action.' }] : []),
    ...unchosen,
  ];
}

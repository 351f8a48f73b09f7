import { isEqualJson } from '../../kernel/json.ts';
import { ACTION_TYPES, entryOf } from './actions.ts';
import type { StoredAction } from './definition.ts';
import { isObject, member } from './json.ts';
import type { ActionsContext } from './parse-action-values.ts';
import { memberPath } from './problems.ts';
import { RULE_LIMITS } from './rule-limits.ts';

/**
 * The actions of a rule, as sent, in their stored form (contract 40.3). Problems are collected in the context; if there
 * are any, ignore the result. Records to be created are in `wanted`, and their placeholders in the actions.
 */
export function parseActions(input: unknown, path: string, context: ActionsContext): readonly StoredAction[] {
  const { problems } = context;
  if (!Array.isArray(input) || input.length === 0 || input.length > RULE_LIMITS.actions) {
    problems.invalid(path, `must be a list of 1 to ${RULE_LIMITS.actions} actions`);
    return [];
  }
  const actions: StoredAction[] = [];
  for (const [index, item] of input.entries()) {
    const at = `${path}[${index}]`;
    const action = parseAction(item, at, context);
    if (action === undefined) continue;
    if (actions.some((other) => isSameFacet(other, action))) {
      problems.invalid(
        at,
        'sets the same thing as an earlier action of this rule; a rule can set each thing only once',
      );
    }
    actions.push(action);
  }
  return actions;
}

/** Whether two actions write the same; comments do when they are equal. */
function isSameFacet(a: StoredAction, b: StoredAction): boolean {
  const target = entryOf(a.type).target(a);
  return target === null ? isEqualJson(a, b) : target === entryOf(b.type).target(b);
}

function parseAction(input: unknown, path: string, context: ActionsContext): StoredAction | undefined {
  const { problems } = context;
  if (!isObject(input)) return problems.invalid(path, 'must be an object with a type');
  const type = ACTION_TYPES.find((one) => one === member(input, 'type'));
  if (type === undefined) {
    const what = member(input, 'type') === undefined ? 'is required' : 'is not a type of action';
    return problems.invalid(`${path}.type`, `${what}; the types are ${ACTION_TYPES.join(', ')}`);
  }
  const { members, parse } = entryOf(type);
  for (const key of Object.keys(input)) {
    if (key === 'type' || members.includes(key)) continue;
    const fields = ['type', ...members].join(', ');
    problems.invalid(memberPath(path, key), `is not a field of ${type}; its fields are ${fields}`);
  }
  return parse(input, path, context);
}

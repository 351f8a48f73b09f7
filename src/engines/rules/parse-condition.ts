import { RULE_LIMITS } from './rule-limits.ts';
import type { Scalar, StoredCondition, StoredLeaf, StoredNode } from './definition.ts';
import { leavesOf, toCents } from './definition.ts';
import { FIELD_NAMES, findField, type Field } from './fields.ts';
import { isObject, member, type JsonObject } from './json.ts';
import { isList, keysOf, LEAF_KEYS, operatorsOf, type LeafKey, type Operator } from './language.ts';
import { parseValue, type ValueContext } from './parse-values.ts';
import { memberPath } from './problems.ts';

interface ConditionContext extends ValueContext {
  /** The stored condition: a leaf whose value was erased may be sent back (contract 40.7). */
  readonly previous?: StoredCondition;
}

const FORMS = '{"and": […]}, {"or": […]}, {"not": {…}} or a leaf {"field", "op", …}';

/**
 * A condition, as sent, in its stored form (contract 40.2). Problems are collected in the context; if there are any,
 * ignore the result. Absent and null mean `{}`.
 */
export function parseCondition(input: unknown, path: string, context: ConditionContext): StoredCondition {
  if (input === undefined || input === null) return {};
  if (isObject(input) && Object.keys(input).length === 0) return {};
  return new ConditionParser(path, context).node(input, path, 0) ?? {};
}

class ConditionParser {
  readonly #root: string;
  readonly #context: ConditionContext;
  #nodes = 0;

  constructor(root: string, context: ConditionContext) {
    this.#root = root;
    this.#context = context;
  }

  node(input: unknown, path: string, depth: number): StoredNode | undefined {
    const { problems } = this.#context;
    this.#nodes += 1;
    if (this.#nodes === RULE_LIMITS.nodes + 1) {
      problems.invalid(this.#root, `must have at most ${RULE_LIMITS.nodes} nodes; every object counts as one`);
    }
    if (this.#nodes > RULE_LIMITS.nodes) return undefined;
    if (depth > RULE_LIMITS.depth) return problems.invalid(path, `must be at most ${RULE_LIMITS.depth} levels deep`);
    if (!isObject(input)) return problems.invalid(path, `must be an object: ${FORMS}`);
    const keys = Object.keys(input);
    const forms = new Set(keys.map(formOf).filter((form) => form !== undefined));
    if (keys.length === 0) return problems.invalid(path, 'must not be empty; only a whole condition can be {}');
    if (forms.size > 1) {
      return problems.invalid(path, `must not mix ${[...forms].join(' and ')}; a node has exactly one form: ${FORMS}`);
    }
    const [form] = forms;
    if (form === 'leaf') return this.#leaf(input, path);
    this.#refuseOthers(input, path, form === undefined ? [] : [form]);
    if (form === 'and') return this.#list(input, 'and', path, depth, (and) => ({ and }));
    if (form === 'or') return this.#list(input, 'or', path, depth, (or) => ({ or }));
    if (form === undefined) return undefined;
    const not = this.node(member(input, 'not'), `${path}.not`, depth + 1);
    return not && { not };
  }

  #list(
    input: JsonObject,
    key: 'and' | 'or',
    path: string,
    depth: number,
    make: (nodes: StoredNode[]) => StoredNode,
  ): StoredNode | undefined {
    const items = member(input, key);
    const { problems } = this.#context;
    if (!Array.isArray(items) || items.length === 0) {
      return problems.invalid(`${path}.${key}`, 'must be a list of at least one node');
    }
    const nodes: StoredNode[] = [];
    for (const [index, item] of items.entries()) {
      if (problems.isFull || this.#nodes > RULE_LIMITS.nodes) break;
      const node = this.node(item, `${path}.${key}[${index}]`, depth + 1);
      if (node) nodes.push(node);
    }
    return make(nodes);
  }

  #leaf(input: JsonObject, path: string): StoredLeaf | undefined {
    const { problems } = this.#context;
    const name = member(input, 'field');
    const field = typeof name === 'string' ? findField(name) : undefined;
    if (typeof name !== 'string' || field === undefined) {
      this.#refuseOthers(input, path, ['field', 'op', ...LEAF_KEYS]);
      const what = name === undefined ? 'is required' : 'is not a field';
      return problems.invalid(`${path}.field`, `${what}; the fields are ${FIELD_NAMES.join(', ')}`);
    }
    const operators = operatorsOf(field);
    const op = operators.find((one) => one === member(input, 'op'));
    if (op === undefined) {
      this.#refuseOthers(input, path, ['field', 'op', ...LEAF_KEYS]);
      const what = member(input, 'op') === undefined ? 'is required' : `is not an operator of ${shown(name)}`;
      return problems.invalid(`${path}.op`, `${what}; it takes ${operators.join(', ')}`);
    }
    this.#refuseOthers(input, path, ['field', 'op', ...keysOf(op)]);
    if (this.#isErased(name, op, input)) return { field: name, op, value: null };
    return this.#values(name, field, op, input, path);
  }

  #values(name: string, field: Field, op: Operator, input: JsonObject, path: string): StoredLeaf | undefined {
    const values: Partial<Record<LeafKey, Scalar | readonly Scalar[]>> = {};
    let isComplete = true;
    for (const key of keysOf(op)) {
      const value = this.#value(field, op, key, member(input, key), `${path}.${key}`);
      if (value === undefined) isComplete = false;
      else values[key] = value;
    }
    if (!isComplete) return undefined;
    const { min, max } = values;
    if (min !== undefined && max !== undefined && isAfter(field, min as Scalar, max as Scalar)) {
      return this.#context.problems.invalid(`${path}.min`, 'must not be greater than max');
    }
    return { field: name, op, ...values } as StoredLeaf;
  }

  #value(
    field: Field,
    op: Operator,
    key: LeafKey,
    input: unknown,
    path: string,
  ): Scalar | readonly Scalar[] | undefined {
    const { problems } = this.#context;
    if (input === undefined) return problems.invalid(path, `is required; ${op} needs ${keysOf(op).join(' and ')}`);
    if (input === null) return problems.invalid(path, 'must not be null; use not_exists to find empty fields');
    if (!isList(op)) return parseValue(field, op, key, input, path, this.#context);
    if (!Array.isArray(input) || input.length === 0 || input.length > RULE_LIMITS.listValues) {
      return problems.invalid(path, `must be a list of 1 to ${RULE_LIMITS.listValues} values`);
    }
    const found: Scalar[] = [];
    for (const [index, item] of input.entries()) {
      if (problems.isFull) return undefined;
      const value = parseValue(field, op, key, item, `${path}[${index}]`, this.#context);
      if (value !== undefined) found.push(value);
    }
    return found.length === input.length ? found : undefined;
  }

  #isErased(name: string, op: Operator, input: JsonObject): boolean {
    const { previous } = this.#context;
    if (previous === undefined || member(input, 'value') !== null) return false;
    for (const leaf of leavesOf(previous))
      if (leaf.field === name && leaf.op === op && leaf.value === null) return true;
    return false;
  }

  #refuseOthers(input: JsonObject, path: string, allowed: readonly string[]): void {
    for (const key of Object.keys(input)) {
      if (this.#context.problems.isFull) return;
      if (allowed.includes(key)) continue;
      const isLeafKey = key === 'field' || key === 'op' || LEAF_KEYS.some((one) => one === key);
      const message = isLeafKey
        ? `is not used by this operator; it takes ${allowed.slice(2).join(', ') || 'no value'}`
        : `is not a field of a condition; the fields are ${(allowed.length > 0 ? allowed : ALL_KEYS).join(', ')}`;
      this.#context.problems.invalid(memberPath(path, key), message);
    }
  }
}

const ALL_KEYS = ['and', 'or', 'not', 'field', 'op', ...LEAF_KEYS];

function formOf(key: string): 'and' | 'or' | 'not' | 'leaf' | undefined {
  if (key === 'and' || key === 'or' || key === 'not') return key;
  return ALL_KEYS.includes(key) ? 'leaf' : undefined;
}

function isAfter(field: Field, min: Scalar, max: Scalar): boolean {
  return field.kind === 'money' ? toCents(min) > toCents(max) : min > max;
}

const SHOWN_CHARS = 64;

function shown(name: string): string {
  return name.length > SHOWN_CHARS ? `${name.slice(0, SHOWN_CHARS)}…` : name;
}

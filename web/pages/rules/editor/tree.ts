import { LEAF_KEYS, type LeafKey, type Operator } from '../../../../src/engines/rules/language.ts';
import { RULE_LIMITS } from '../../../../src/engines/rules/rule-limits.ts';

/** A condition as the editor shows it: that of the API, with an id for each node. Null is the condition that all match. */
export type Tree = Node | null;
export type Node = Group | Not | Leaf;
export interface Group {
  readonly id: string;
  readonly kind: GroupKind;
  readonly children: readonly Node[];
}
export interface Not {
  readonly id: string;
  readonly kind: 'not';
  readonly child: Node;
}
export interface Leaf extends Readonly<Partial<Record<LeafKey, unknown>>> {
  readonly id: string;
  readonly kind: 'leaf';
  readonly field: string;
  readonly op: Operator;
}
export type GroupKind = 'and' | 'or';
export type Test = Omit<Leaf, 'id' | 'kind'>;

export interface Problem {
  readonly path: string;
  readonly message: string;
}

let last = 0;
/** Ids are of this page only. */
function newId(): string {
  return `n${(last += 1)}`;
}

export function leafOf(test: Test): Leaf {
  return { id: newId(), kind: 'leaf', ...test };
}

/** The condition as the API takes it. */
export function toJson(tree: Tree): Record<string, unknown> {
  if (tree === null) return {};
  if (tree.kind === 'leaf') {
    const { field, op } = tree;
    const values = LEAF_KEYS.flatMap((key) => (tree[key] === undefined ? [] : [[key, tree[key]] as const]));
    return { field, op, ...Object.fromEntries(values) };
  }
  if (tree.kind === 'not') return { not: toJson(tree.child) };
  return { [tree.kind]: tree.children.map(toJson) };
}

/** Reads what has the form of a condition. Whether fields and values are right, the server says. */
export function fromJson(json: unknown, path = 'condition'): { tree: Tree; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  if (json === null || json === undefined || (isObject(json) && Object.keys(json).length === 0)) {
    return { tree: null, problems };
  }
  return { tree: readNode(json, path, 0, problems) ?? null, problems };
}

const FORM = 'must have exactly one form: {"and": […]}, {"or": […]}, {"not": {…}} or {"field", "op", …}';
const TEST_KEYS: readonly string[] = ['field', 'op', ...LEAF_KEYS];

function readNode(json: unknown, path: string, depth: number, problems: Problem[]): Node | undefined {
  const refuse = (message: string, at = path): undefined => void problems.push({ path: at, message });
  if (depth > RULE_LIMITS.depth) return refuse(`must be at most ${RULE_LIMITS.depth} levels deep`);
  if (!isObject(json)) return refuse(FORM);
  const keys = Object.keys(json);
  const [first = ''] = keys;
  if (keys.length > 0 && keys.every((key) => TEST_KEYS.includes(key))) {
    const { field, op } = json;
    if (!isName(field)) return refuse('must be the name of a field', `${path}.field`);
    if (!isName(op)) return refuse('must be the name of an operator', `${path}.op`);
    return leafOf(json as unknown as Test);
  }
  if (keys.length !== 1) return refuse(FORM);
  if (first === 'not') {
    const child = readNode(json['not'], `${path}.not`, depth + 1, problems);
    return child && { id: newId(), kind: 'not', child };
  }
  if (first !== 'and' && first !== 'or') return refuse(FORM);
  const items = json[first];
  if (!Array.isArray(items) || items.length === 0) {
    return refuse('must be a list of at least one condition', `${path}.${first}`);
  }
  const children = items.flatMap((item, index) => {
    return readNode(item, `${path}.${first}[${index}]`, depth + 1, problems) ?? [];
  });
  return { id: newId(), kind: first, children };
}

/** What every object inherits, such as `constructor`, names no field and no operator. */
function isName(value: unknown): boolean {
  return typeof value === 'string' && !(value in {});
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The path of each node, by its id: where the server says that something is wrong. */
export function pathsOf(tree: Tree, root = 'condition'): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  const visit = (node: Node, path: string): void => {
    paths.set(node.id, path);
    if (node.kind === 'not') visit(node.child, `${path}.not`);
    else if (node.kind !== 'leaf') node.children.forEach((child, at) => visit(child, `${path}.${node.kind}[${at}]`));
  };
  if (tree) visit(tree, root);
  return paths;
}

export function countOf(tree: Tree): number {
  if (tree === null) return 0;
  return 1 + childrenOf(tree).reduce((sum, child) => sum + countOf(child), 0);
}

/** Levels below the root; a single row has none. */
export function depthOf(tree: Tree): number {
  if (tree === null) return 0;
  const below = childrenOf(tree).map(depthOf);
  return below.length === 0 ? 0 : 1 + Math.max(...below);
}

export function leavesOf(tree: Tree): readonly Leaf[] {
  if (tree === null) return [];
  return tree.kind === 'leaf' ? [tree] : childrenOf(tree).flatMap(leavesOf);
}

function childrenOf(node: Node): readonly Node[] {
  if (node.kind === 'leaf') return [];
  return node.kind === 'not' ? [node.child] : node.children;
}

export function find(tree: Tree, id: string): Node | undefined {
  if (tree === null) return undefined;
  if (tree.id === id) return tree;
  for (const child of childrenOf(tree)) {
    const found = find(child, id);
    if (found) return found;
  }
  return undefined;
}

/** The server takes no more than this; shown where an edit would go beyond it. */
export function beyondLimits(tree: Tree): string | undefined {
  if (countOf(tree) > RULE_LIMITS.nodes) return `A rule has at most ${RULE_LIMITS.nodes} conditions and groups.`;
  return depthOf(tree) > RULE_LIMITS.depth ? `Groups are at most ${RULE_LIMITS.depth} levels deep.` : undefined;
}

/** The tree with one node replaced; a group that is left with nothing goes as well. */
function replace(tree: Tree, id: string, by: (node: Node) => readonly Node[]): Tree {
  if (tree === null) return null;
  const [first, ...others] = replaced(tree, id, by);
  if (!first) return null;
  // Several can stand only in a group.
  return others.length === 0 ? first : { id: newId(), kind: 'and', children: [first, ...others] };
}

function replaced(node: Node, id: string, by: (node: Node) => readonly Node[]): readonly Node[] {
  if (node.id === id) return by(node);
  if (node.kind === 'leaf') return [node];
  if (node.kind === 'not') {
    const [child, ...others] = replaced(node.child, id, by);
    if (!child) return [];
    if (child === node.child) return [node];
    return [
      { ...node, child: others.length === 0 ? child : { id: newId(), kind: 'and', children: [child, ...others] } },
    ];
  }
  const children = node.children.flatMap((child) => replaced(child, id, by));
  return children.length === 0 ? [] : [{ ...node, children }];
}

/** Adds a node at the end of a group. Without one it stands beside the whole tree. */
export function add(tree: Tree, node: Node, into?: string): Tree {
  if (tree === null) return node;
  if (into === undefined) {
    if (tree.kind === 'and' || tree.kind === 'or') return { ...tree, children: [...tree.children, node] };
    return { id: newId(), kind: 'and', children: [tree, node] };
  }
  return replace(tree, into, (group) =>
    group.kind === 'and' || group.kind === 'or' ? [{ ...group, children: [...group.children, node] }] : [group],
  );
}

export function groupOf(...children: readonly Node[]): Group {
  return { id: newId(), kind: 'and', children };
}

export function remove(tree: Tree, id: string): Tree {
  return replace(tree, outermost(tree, id), () => []);
}

/** Puts a node into a group of its own. */
export function wrap(tree: Tree, id: string): Tree {
  return replace(tree, outermost(tree, id), (node) => [groupOf(node)]);
}

/** Puts what is in a group in its place. That of a negated group stays negated as a whole, so there is nothing to gain. */
export function unwrap(tree: Tree, id: string): Tree {
  return replace(tree, id, (node) => (node.kind === 'and' || node.kind === 'or' ? node.children : [node]));
}

/** Whether the rows of a group can stand where it stands without changing what the rule means. */
export function canUnwrap(tree: Tree, id: string): boolean {
  const group = find(tree, id);
  if (group?.kind !== 'and' && group?.kind !== 'or') return false;
  const parent = parentOf(tree, id);
  return group.children.length === 1 || parent?.kind === group.kind;
}

/** Says the opposite of a node, or takes that back. */
export function negate(tree: Tree, id: string): Tree {
  const outer = outermost(tree, id);
  return replace(tree, outer, (node) =>
    node.kind === 'not' ? [node.child] : [{ id: newId(), kind: 'not', child: node }],
  );
}

export function setKind(tree: Tree, id: string, kind: GroupKind): Tree {
  return replace(tree, id, (node) => (node.kind === 'and' || node.kind === 'or' ? [{ ...node, kind }] : [node]));
}

export function setTest(tree: Tree, id: string, test: Test): Tree {
  return replace(tree, id, (node) => (node.kind === 'leaf' ? [{ id, kind: 'leaf', ...test }] : [node]));
}

/**
 * One place up or down, through groups as through lines of a text: into the group that stands there, and out of a group at
 * its end. Undefined where there is no further place.
 */
export function move(tree: Tree, id: string, step: 1 | -1): Tree | undefined {
  const outer = outermost(tree, id);
  const moved = find(tree, outer);
  const parent = parentOf(tree, outer);
  if (!moved || !parent || parent.kind === 'not') return undefined;
  const at = parent.children.findIndex((child) => child.id === outer);
  const beside = parent.children[at + step];
  if (!beside) {
    const around = outermost(tree, parent.id);
    const above = parentOf(tree, around);
    if (!above || above.kind === 'not') return undefined;
    return insert(remove(tree, outer), tree, { moved, above, around, step });
  }
  const group = groupIn(beside);
  if (group) {
    const children = step === 1 ? [moved, ...group.children] : [...group.children, moved];
    return replace(remove(tree, outer), group.id, () => [{ ...group, children }]);
  }
  const children = parent.children.with(at, beside).with(at + step, moved);
  return replace(tree, parent.id, () => [{ ...parent, children }]);
}

interface Leaving {
  moved: Node;
  /** The group that it comes into. */
  above: Group;
  /** What it stood in, which may be empty now. */
  around: string;
  step: 1 | -1;
}

function insert(without: Tree, before: Tree, { moved, above, around, step }: Leaving): Tree {
  const left = find(without, around);
  const children = above.children.flatMap((child) => {
    if (child.id !== around) return [child];
    if (!left) return [moved];
    return step === 1 ? [left, moved] : [moved, left];
  });
  return replace(before, above.id, () => [{ ...above, children }]);
}

/** A group, also one that is negated. */
function groupIn(node: Node): Group | undefined {
  if (node.kind === 'leaf') return undefined;
  return node.kind === 'not' ? groupIn(node.child) : node;
}

export function parentOf(tree: Tree, id: string): Exclude<Node, Leaf> | undefined {
  if (tree === null || tree.kind === 'leaf') return undefined;
  if (childrenOf(tree).some((child) => child.id === id)) return tree;
  for (const child of childrenOf(tree)) {
    const found = parentOf(child, id);
    if (found) return found;
  }
  return undefined;
}

/** The id of a node with all that negates it: they are shown as one. */
function outermost(tree: Tree, id: string): string {
  const parent = parentOf(tree, id);
  return parent?.kind === 'not' ? outermost(tree, parent.id) : id;
}

/** The rows and groups in the order in which they are shown. */
export function orderOf(tree: Tree): readonly string[] {
  if (tree === null) return [];
  if (tree.kind === 'not') return orderOf(tree.child);
  return [tree.id, ...childrenOf(tree).flatMap(orderOf)];
}

import { parseSync, type ESTree } from 'vite';

/** What the client needs of every operation (`src/contract/client.ts`). */
const CALLED: readonly string[] = ['name', 'method', 'path', 'beside'];
/** Functions that return their first argument, for its type or to note something about it for the reference or for agents. */
const NOTES: ReadonlySet<string> = new Set(['defineOperation', 'describedAs', 'exactlyOne', 'ours']);
/** Without side effects anyway. */
const SIMPLE: ReadonlySet<string> = new Set(['Literal', 'Identifier', 'ArrowFunctionExpression', 'FunctionExpression']);

/** The parts of operations that the pages name: `signIn.body`, or `signIn` in `useOperationForm(signIn, …)`. */
export function namedParts(sources: Iterable<string>): Set<string> {
  const parts = new Set<string>();
  for (const source of sources) {
    for (const [part] of source.matchAll(/\b[a-zA-Z]\w*\.(?!name\b|method\b|path\b|beside\b)[a-z]\w*\b/g))
      parts.add(part);
    for (const [, operation] of source.matchAll(/\buseOperationForm\(\s*(\w+)/g)) parts.add(`${operation}.body`);
  }
  return parts;
}

interface SlimContract {
  /** Operations that are called and nothing else. */
  calls: string;
  /** What needs schemas, and with them zod. */
  rest: string;
}

/**
 * A contract as pages need it. Of an operation stays what calls it, and what a page names (`named`); examples and descriptions
 * go, with the schemas that nothing checks here. Each declaration becomes a call that is marked as free of side effects,
 * `const x = (() => …)()`, and is left out when nothing uses it.
 */
export function slimContract(id: string, code: string, named: ReadonlySet<string>): SlimContract {
  const { body } = parseSync(id, code).program;
  const parts = partsOf(body, named);
  const slim = (statements: readonly Statement[]): string =>
    statements.map((statement) => applied(code, statement, editsOf(statement, parts))).join('\n');
  const [calls, rest] = [true, false].map((isCall) =>
    slim(body.filter((statement) => isOnlyCalled(statement, parts) === isCall)),
  ) as [string, string];
  return { calls, rest };
}

type Statement = ESTree.Statement | ESTree.Directive;
type Property = ESTree.ObjectPropertyKind;
/** The properties of each operation that stay, and of each object that operations share by `...shared`. */
type Parts = ReadonlyMap<ESTree.ObjectExpression, ReadonlySet<Property>>;

function partsOf(body: readonly Statement[], named: ReadonlySet<string>): Parts {
  const declared = body.flatMap(declaredIn);
  const shared = new Map(declared.map(({ name, init }) => [name, objectIn(init)]));
  const parts = new Map<ESTree.ObjectExpression, Set<Property>>();
  const note = (operation: string, object: ESTree.ObjectExpression): boolean => {
    const needed = object.properties.filter((property) => {
      const name = nameOf(property);
      if (name !== undefined) return CALLED.includes(name) || named.has(`${operation}.${name}`);
      const { argument } = property as ESTree.SpreadElement;
      const source = argument?.type === 'Identifier' ? shared.get(argument.name) : undefined;
      return source === undefined || note(operation, source);
    });
    parts.set(object, (parts.get(object) ?? new Set()).union(new Set(needed)));
    return needed.length > 0;
  };
  for (const { name, init } of declared) {
    const operation = operationIn(init);
    if (operation) note(name, operation);
  }
  return parts;
}

/** Whether it declares an operation of which nothing stays but literals. */
function isOnlyCalled(statement: Statement, parts: Parts): boolean {
  return declaredIn(statement).some(({ init }) => {
    const operation = operationIn(init);
    return operation !== undefined && [...(parts.get(operation) ?? [])].every(isLiteral);
  });
}

function isLiteral(property: Property): boolean {
  if (property.type !== 'Property') return false;
  const { value } = property;
  const values = value.type === 'ArrayExpression' ? value.elements : [value];
  return values.every((one) => one?.type === 'Literal');
}

function editsOf(statement: Statement, parts: Parts): Edit[] {
  const edits: Edit[] = [];
  collect(statement, parts, edits);
  for (const { init } of declaredIn(statement)) {
    if (SIMPLE.has(init.type)) continue;
    edits.push({ at: init.start, until: init.start, text: '/* @__PURE__ */ (() => (' });
    edits.push({ at: init.end, until: init.end, text: '))()' });
  }
  return edits;
}

interface Edit {
  at: number;
  until: number;
  text: string;
}

function applied(code: string, { start, end }: Statement, edits: readonly Edit[]): string {
  let result = '';
  let done = start;
  for (const { at, until, text } of edits.toSorted((a, b) => a.at - b.at || a.until - b.until)) {
    // Inside something that goes as a whole.
    if (at < done) continue;
    result += code.slice(done, at) + text;
    done = until;
  }
  return result + code.slice(done, end);
}

function declaredIn(statement: Statement): { name: string; init: ESTree.Expression }[] {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declared?.type !== 'VariableDeclaration') return [];
  return declared.declarations.flatMap(({ id, init }) =>
    init ? [{ name: id.type === 'Identifier' ? id.name : '', init }] : [],
  );
}

/** The argument of `defineOperation({…})`. */
function operationIn(node: ESTree.Node): ESTree.ObjectExpression | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return undefined;
  const [first] = node.arguments;
  return node.callee.name === 'defineOperation' && first ? objectIn(first) : undefined;
}

/** `{…}`, also with `as const` behind it. */
function objectIn(node: ESTree.Node): ESTree.ObjectExpression | undefined {
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression') return objectIn(node.expression);
  return node.type === 'ObjectExpression' ? node : undefined;
}

/** What goes from a statement. */
function collect(node: unknown, parts: Parts, edits: Edit[]): void {
  if (Array.isArray(node)) for (const one of node) collect(one, parts, edits);
  if (typeof node !== 'object' || node === null) return;
  const expression = node as ESTree.Expression;
  const needed = expression.type === 'ObjectExpression' ? parts.get(expression) : undefined;
  if (needed && expression.type === 'ObjectExpression') {
    const unneeded = expression.properties.filter((property) => !needed.has(property));
    // In its place stands nothing, so that the commas stay right; the minifier takes it away.
    edits.push(...unneeded.map(({ start, end }) => ({ at: start, until: end, text: '...{}' })));
  }
  if (expression.type === 'CallExpression') {
    const { callee, arguments: given, start, end } = expression;
    const [first] = given;
    if (callee.type === 'Identifier' && NOTES.has(callee.name) && first) {
      edits.push({ at: start, until: first.start, text: '(' }, { at: first.end, until: end, text: ')' });
    }
    if (isNote(callee)) edits.push({ at: callee.object.end, until: end, text: '' });
  }
  for (const value of Object.values(node)) collect(value, parts, edits);
}

/** `….meta({…})`. */
function isNote(callee: ESTree.Expression | ESTree.Super): callee is ESTree.StaticMemberExpression {
  return callee.type === 'MemberExpression' && !callee.computed && callee.property.name === 'meta';
}

function nameOf(property: Property): string | undefined {
  return property.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : undefined;
}

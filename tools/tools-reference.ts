import { tools } from '../src/features/agent-tools/index.ts';
import { questionsTable } from '../src/features/agent-tools/guides/questions.ts';
import type { Tool } from '../src/features/agent-tools/tool.ts';
import { listedTool, resultSchemaOf } from '../src/features/agent-tools/listed-tools.ts';

type Schema = Readonly<Record<string, unknown>>;

/** docs/reference/tools.md: what agents can call. */
export function toolsReference(): string {
  const overview = tools.map(({ info, operation }) => {
    const right =
      info.effect === 'read' ? operation.scope : info.isProposable ? 'full_access, or a proposal' : 'full_access';
    return `| [${info.name}](#${info.name}) | ${info.effect}s | ${right} | ${info.title} |`;
  });
  return [
    '# Tools of agents',
    'Generated from `src/features/agent-tools/tools/`. How agents connect: [agents.md](../guides/agents.md).',
    ['| Tool | Effect | Needs | What |', '|---|---|---|---|', ...overview].join('\n'),
    `## Which calls answer which question\n\n${questionsTable()}`,
    ...tools.map(section),
  ]
    .join('\n\n')
    .concat('\n');
}

function section(tool: Tool): string {
  const { info } = tool;
  const { inputSchema } = listedTool(tool);
  const marks = [
    info.isDestructive ? 'removes or takes back something' : '',
    info.isOpenWorld ? 'reaches beyond this machine' : '',
    info.isIdempotent ? 'is safe to repeat' : '',
  ].filter((mark) => mark !== '');
  const made =
    info.operations.length === 0 ? '' : `Made of: ${info.operations.map((name) => `\`${name}\``).join(', ')}.`;
  return [
    `## ${info.name}`,
    info.description,
    marks.length === 0 ? '' : `It ${marks.join(', ')}.`,
    fields('Argument', inputSchema),
    fields('Result', resultSchemaOf(tool)),
    ...info.examples.map(
      ({ says, arguments: sent }) => `${says}\n\n\`\`\`json\n${JSON.stringify(sent, null, 2)}\n\`\`\``,
    ),
    made,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function fields(head: string, schema: Schema): string {
  const { properties = {}, required = [] } = schema as {
    properties?: Readonly<Record<string, Schema>>;
    required?: string[];
  };
  const rows = Object.entries(properties).map(([name, field]) => {
    const always = required.includes(name) ? ' (always)' : '';
    return `| \`${name}\`${always} | ${typeOf(field)} | ${inCell(aboutOf(field))} |`;
  });
  if (rows.length === 0) return head === 'Argument' ? 'It takes no arguments.' : '';
  return [`| ${head} | Type | |`, '|---|---|---|', ...rows].join('\n');
}

function typeOf({ type, enum: choices, const: only, anyOf, items }: Schema): string {
  if (Array.isArray(choices)) return choices.map((choice) => `\`${String(choice)}\``).join(', ');
  if (typeof only === 'string') return `\`${only}\``;
  if (Array.isArray(anyOf)) return (anyOf as Schema[]).map(typeOf).join(' or ');
  const name = Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any';
  const of = typeof items === 'object' && items !== null ? (items as Schema)['type'] : undefined;
  return typeof of === 'string' ? `${name} of ${of}s` : name;
}

/** How the bounds of a value read. */
const BOUNDS: readonly (readonly [string, (bound: string) => string])[] = [
  ['default', (value) => `\`${value}\` by default`],
  ['minimum', (least) => `at least ${least}`],
  ['maximum', (most) => `at most ${most}`],
  ['maxItems', (most) => `at most ${most} items`],
  ['maxLength', (most) => `at most ${most} characters`],
];

function aboutOf(schema: Schema): string {
  const { description } = schema;
  const bounds = BOUNDS.flatMap(([name, said]) => (name in schema ? [said(JSON.stringify(schema[name]))] : []));
  return [...(typeof description === 'string' ? [description] : []), ...bounds].join('; ');
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

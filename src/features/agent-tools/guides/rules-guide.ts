import { ACTION_TYPES, entryOf } from '../../../engines/rules/actions.ts';
import { TRIGGERS } from '../../../engines/rules/definition.ts';
import { FIELDS, findField, type Field } from '../../../engines/rules/fields.ts';
import { keysOf, operatorsOf } from '../../../engines/rules/language.ts';
import { RULE_LIMITS } from '../../../engines/rules/rule-limits.ts';

/** The values that each kind of field takes. */
const VALUES: Readonly<Record<Field['kind'], string>> = {
  text: 'text; case, accents and repeated spaces are ignored, except by `matches` (an RE2 regular expression)',
  money: 'decimal such as "12.50"; positive is money out',
  integer: 'whole number',
  date: 'date such as 2026-03-01',
  boolean: 'true or false',
  choice: 'one of the listed values',
  reference: 'id of a record that exists',
  category: 'id or slug; does not include its children. Text operators compare the slug',
  tags: 'slug or id of a tag that exists',
  metadata: 'text, number or true/false',
};

/** What each action does. The engine defines the list. */
const EFFECTS: Readonly<Record<(typeof ACTION_TYPES)[number], string>> = {
  set_category: 'Files the row',
  add_tag: 'Adds a tag, and makes it first if no tag has this slug',
  remove_tag: 'Removes a tag',
  assign_series: 'Adds the row to a series, by id or by name',
  assign_counterparty: 'Sets the other side, by id or by name',
  set_metadata: 'Sets one key to any JSON value',
  remove_metadata: 'Removes one key',
  flag: 'Flags the row, so that a person looks at it',
  unflag: 'Removes the flag',
  add_comment: 'Adds a comment to each row, once',
};

/** The guide to rules. Its tables are generated from what the engine accepts. */
export function rulesGuide(): string {
  const fields = Object.keys(FIELDS).map((name) => [name, findField(name) as Field] as const);
  return [
    INTRODUCTION,
    `## Fields\n\n${table(['Field', 'Kind', 'Values'], [...fields.map(fieldRow), METADATA_ROW])}`,
    `## Operators\n\n${table(['Kind', 'Operators'], operatorRows())}\n\n${keysText()}`,
    `## Actions\n\nA rule has 1 to ${RULE_LIMITS.actions}, and no two may write the same thing.\n\n${table(['type', 'Other keys', 'Effect'], ACTION_TYPES.map(actionRow))}`,
    CONCLUSION,
  ].join('\n\n');
}

const INTRODUCTION = `# Writing rules

A rule is \`name\`, \`condition\`, \`actions\`, and optionally \`priority\` (0–1000, default 100: lower runs first, later ones win),
\`triggers\` (${TRIGGERS.map((trigger) => `\`${trigger}\``).join(', ')}), \`stop\` (no later rule runs on that row), \`overwrite_manual\` (default
false: what a person or an agent decided stays), \`enabled\` and \`expires_at\`.

A condition is one of \`{"and": […]}\`, \`{"or": […]}\`, \`{"not": …}\`, or a leaf \`{"field", "op", …}\`; \`{}\` matches every row. At most
${RULE_LIMITS.depth} levels and ${RULE_LIMITS.nodes} nodes.`;

const METADATA_ROW = [
  '`metadata.<key>`',
  'metadata',
  `${VALUES.metadata}; the key is everything after the first dot`,
] as const;

const CONCLUSION = `## Examples

\`\`\`json
{"name": "Corner Market is groceries",
 "condition": {"and": [{"field": "merchant_name", "op": "eq", "value": "Corner Market"}, {"field": "amount", "op": "gt", "value": "0.00"}]},
 "actions": [{"type": "set_category", "category_slug": "food_and_drink_groceries"}, {"type": "remove_tag", "tag_slug": "needs-review"}]}
\`\`\`

\`\`\`json
{"name": "Rent, around the first", "priority": 200,
 "condition": {"and": [{"field": "name", "op": "contains", "value": "rent"}, {"field": "amount_abs", "op": "between", "min": "900.00", "max": "1100.00"},
  {"field": "iso_currency_code", "op": "eq", "value": "EUR"}, {"field": "day_of_month", "op": "approx", "value": 1, "tolerance": 4}]},
 "actions": [{"type": "assign_series", "series_name": "Rent", "create_if_missing": true, "series_type": "bill"}]}
\`\`\`

## How to go about it

1. \`list_rules\`: does a rule already do this, or the opposite?
2. \`preview_rule\` with condition and actions: is \`match_count\` plausible, and are all samples right? Narrow the condition until they are.
3. \`create_rules\` with a reason. Rules run on new rows from then on.
4. \`apply_rules\` for existing rows: first as a dry run (the default), then with \`dry_run: false\`.
5. To undo a mistake, change the rule with \`update_rule\` or \`delete_rule\`, and revert what it wrote with \`revert_change_set\`.

Prefer \`merchant_name\` or \`counterparty\` to \`name\`: banks vary the name. Compare an amount only together with its currency. Give broad rules
a low priority number and exceptions a higher one.
`;

function fieldRow([name, field]: readonly [string, Field]): readonly string[] {
  return [`\`${name}\``, field.kind, valuesOf(field)];
}

function valuesOf(field: Field): string {
  if (field.kind === 'choice') return field.choices.map((choice) => `\`${choice}\``).join(', ');
  if (field.kind === 'integer') return `${field.min} to ${field.max}`;
  if (field.kind === 'reference') return `id of an existing ${field.refersTo}`;
  if (field.kind === 'money' && !field.isSigned) return 'decimal without a sign';
  return VALUES[field.kind];
}

function operatorRows(): string[][] {
  const byKind = new Map<string, Field>(Object.values(FIELDS).map((field) => [field.kind, field]));
  byKind.set('metadata', findField('metadata.key') as Field);
  return [...byKind].map(([kind, field]) => [
    kind,
    operatorsOf(field)
      .map((op) => `\`${op}\``)
      .join(' '),
  ]);
}

function keysText(): string {
  const keys = (op: Parameters<typeof keysOf>[0]): string =>
    keysOf(op)
      .map((key) => `\`${key}\``)
      .join(' and ');
  return (
    `A leaf has ${keys('eq')}; \`in\` and \`not_in\` take a list of at most ${RULE_LIMITS.listValues}; \`between\` has ${keys('between')}, both ` +
    `inclusive; \`approx\` has ${keys('approx')}; \`exists\` and \`not_exists\` take no other keys. When a row has no value for a field, \`neq\`, ` +
    '`not_in`, `not_contains` and `not_exists` are true and all other operators are false.'
  );
}

function actionRow(type: (typeof ACTION_TYPES)[number]): readonly string[] {
  const keys = entryOf(type).members.map((member) => `\`${member}\``);
  return [`\`${type}\``, keys.join(', ') || '–', EFFECTS[type]];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---').join('|')}|`, ...lines].join('\n');
}

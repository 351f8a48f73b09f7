/** What each group of operations is about, in Markdown, in the order of the reference. */
export const GROUPS = {
  transactions: [
    'What the bank delivered, and what people, rules and agents added to it. A transaction is listed if it matches all',
    'filters of the query. Totals never mix currencies.',
  ].join(' '),
  overview: 'What the household owns and owes, today and over time, and what needs attention.',
  review: 'What waits for a look: new, without a category, or flagged. Groups of the same kind need one decision.',
  accounts: 'Bank accounts, wallets and loans, with their balances and your names for them.',
  categories: 'Where money goes and where it comes from: a tree with two levels, of built-in categories and your own.',
  connections: 'Links to banks, and groups of accounts kept by bank files.',
  sync: 'Syncing banks: ask for a sync, see what each one brought, and check that all is well.',
  'hosted-links': [
    'For clients without a browser: ask for the address of a page, a person opens it and connects a bank, and you poll',
    'until the session has ended.',
  ].join(' '),
  webhooks: 'Webhook events from bank providers. Their payloads are not kept.',
  providers: 'How banks are reached: Plaid, Teller, and bank files.',
  suggestions: [
    'Questions that a sync leaves to a person: are two transactions one purchase, or two accounts the same? Nothing',
    'changes until someone accepts.',
  ].join(' '),
  imports: [
    'Bank files: CSV, OFX, QFX, QIF, CAMT.053 and MT940. The content decides how a file is read, and its balances prove',
    'it. If something stays unclear, you are asked, with the possible answers and what each would give. `dry_run` shows',
    'everything before anything is written. The same file never counts twice.',
  ].join(' '),
  'import-profiles': 'How files of a bank are read, remembered by their header for the next file.',
  comments: 'Notes by people and agents on a transaction.',
  annotations: 'The timeline of a transaction: who did what to it, and why.',
  tags: 'Labels that cut across categories.',
  series: 'Transactions that recur: subscriptions, bills, loans.',
  counterparties: 'The other side of transactions: shops, employers, people.',
  'change-sets':
    'The journal. Every write is one change set: who changed what, when and why. Most change sets can be reverted.',
  rules: `*When a transaction looks like this, do that.*

A condition is \`{}\` (every transaction), a test, or tests combined with \`and\`, \`or\` and \`not\`, up to 10 deep:

\`\`\`json
{"and": [{"field": "merchant_name", "op": "contains", "value": "market"},
         {"field": "amount", "op": "between", "min": "5.00", "max": "80.00"},
         {"not": {"field": "tags", "op": "exists"}}]}
\`\`\`

| Fields | Operators |
|---|---|
| \`name\`, \`merchant_name\`, \`iso_currency_code\`, \`provider_category_primary\`, \`provider_category_detailed\`, \`account_name\`, \`account_type\`, \`user_name\` | \`eq\` \`neq\` \`in\` \`not_in\` \`contains\` \`not_contains\` \`starts_with\` \`ends_with\` \`matches\` \`exists\` \`not_exists\` |
| \`amount\`, \`amount_abs\`, \`day_of_month\`, \`month\`, \`day_of_week\`, \`day_of_year\` | \`eq\` \`neq\` \`gt\` \`gte\` \`lt\` \`lte\` \`between\` \`approx\` \`in\` \`not_in\` |
| \`date\` | \`eq\` \`neq\` \`gt\` \`gte\` \`lt\` \`lte\` \`between\` |
| \`pending\`, \`in_series\`, \`has_counterparty\` | \`eq\` \`neq\` |
| \`provider\`, \`payment_channel\`, \`category_kind\`, \`account_id\`, \`user_id\`, \`series\`, \`counterparty\` | \`eq\` \`neq\` \`in\` \`not_in\` \`exists\` \`not_exists\` |
| \`category\` | the same, and the text operators on its slug |
| \`tags\` | \`contains\` \`not_contains\` \`in\` \`not_in\` \`exists\` \`not_exists\` |
| \`metadata.<key>\` | nearly all |

Case, accents and repeated spaces matter only to \`matches\`, which takes an RE2 regular expression. \`neq\`,
\`not_in\` and \`not_contains\` are also true when the field has no value.

Actions run in order: \`set_category\`, \`add_tag\`, \`remove_tag\`, \`assign_series\`, \`assign_counterparty\`,
\`set_metadata\`, \`remove_metadata\`, \`flag\`, \`unflag\`, \`add_comment\`. Rules run by \`priority\`, lower first; later
ones see what earlier ones did. What a person or agent decided stays unless \`overwrite_manual\` is true.`,
  'account-links': [
    'One card that two accounts show: one of its owner, one of another person who uses it. The copy stays out of',
    'totals, and purchases are attributed to the person who made them.',
  ].join(' '),
  'transaction-matches': 'Pairs of transactions that are the same purchase, found through an account link.',
  reports:
    'Messages from agents, workflows and people to the household. A report that one member has read is read for all.',
  notifications: 'Messages about reports, failed syncs and flagged transactions, sent to addresses of your own.',
  proposals: 'Changes that an agent wants to make. Nothing changes until a person approves all or some of them.',
  workflows: 'Agents that work for the household: what each one does, when, and what it may do and spend.',
  'workflow-presets': 'Ready-made workflows, and the texts that their prompts are composed of.',
  'workflow-runs': 'Runs of workflows: start, follow and cancel them, and read what was said and done.',
  'workflow-settings': 'Which models workflows use, what these cost, and what the household spends at most.',
  'agent-calls': 'What agents may do, and a record of every call that they make.',
  jobs: 'Runs of rules, which can take longer than their request.',
  export: 'The whole household in one file, in forms that other programs read.',
  users: 'The members of the household.',
  logins: 'How household members sign in, and what each of them may do.',
  'api-keys': 'The keys that scripts and agents use, and what each may do.',
  'device-requests': [
    'How a program without a key gets one: it starts a request, shows the user code and the address, and polls while',
    'someone approves or denies the request in a browser.',
  ].join(' '),
  config: 'Settings of the service, and where each value comes from.',
  auth: 'How people sign in, with the session cookie of their browser.',
  'recovery-keys': 'What backups are encrypted to. Who adds a recipient must enter the password again.',
  setup: 'The first run, and invitations.',
  'provider-settings': 'The credentials of the bank providers. They are encrypted and never shown.',
  bootstrap: 'What a client needs to know before it has an API key.',
  health: 'Whether the process is alive and can work, and its version.',
} as const satisfies Readonly<Record<string, string>>;

/** The folder under `src/features/` of an operation, and its chapter of the reference. */
export type Group = keyof typeof GROUPS;

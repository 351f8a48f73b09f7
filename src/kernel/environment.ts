/** A variable as the reference shows it. `takes` and `byDefault` are Markdown. */
interface Variable {
  name: string;
  takes: string;
  byDefault: string;
  meaning: string;
}

const PROVIDER_ENVIRONMENTS = '`sandbox`, `development`, `production`';
const PROVIDER_URL = 'https URL; http only to a loopback or private address';

/** Every environment variable that the server reads (contract 20.16). `readConfig` cannot read any other. */
export const VARIABLES = [
  { name: 'HOST', takes: 'IP address or host name', byDefault: '`127.0.0.1`', meaning: 'Address to listen on' },
  { name: 'PORT', takes: '0 to 65535', byDefault: '`8080`', meaning: 'Port to listen on; 0 takes any free one' },
  {
    name: 'HOMELEDGER_DATA_DIR',
    takes: 'path',
    byDefault: '`./data`',
    meaning: 'Directory for the database, the encryption key and temporary files',
  },
  {
    name: 'BACKUP_DIR',
    takes: 'path',
    byDefault: '`backups` in the data directory',
    meaning: 'Directory for backups, best on another disk; it must exist',
  },
  {
    name: 'DATABASE_URL',
    takes: '`postgres://…` or `postgresql://…`',
    byDefault: '',
    meaning: 'PostgreSQL database to use instead of the embedded one; takes up to 19 connections',
  },
  {
    name: 'ENCRYPTION_KEY',
    takes: '64 hexadecimal digits',
    byDefault: '',
    meaning: 'Key that secrets are encrypted with, instead of `encryption.key` in the data directory',
  },
  {
    name: 'ENCRYPTION_KEY_FILE',
    takes: 'path',
    byDefault: '',
    meaning: 'File with that key; cannot be set together with `ENCRYPTION_KEY`',
  },
  {
    name: 'API_KEY_PREFIX',
    takes: '2 to 8 characters of `a-z0-9`',
    byDefault: '`hl`',
    meaning: 'Prefix of API keys; keys with another prefix stop working',
  },
  {
    name: 'HOMELEDGER_BASE_URL',
    takes: '`https://host[:port]`; http only on a home network',
    byDefault: '',
    meaning: 'Public address; overrides the setting `public_base_url`. With https, browsers are told to use only https',
  },
  {
    name: 'HOMELEDGER_DASHBOARD',
    takes: '`on`, `off`',
    byDefault: '`on`',
    meaning: 'Whether dashboard pages are served',
  },
  {
    name: 'HOMELEDGER_ADMIN_EMAIL',
    takes: 'email address',
    byDefault: '',
    meaning: 'First admin, created without a prompt; needs one of the next two variables',
  },
  {
    name: 'HOMELEDGER_ADMIN_PASSWORD',
    takes: '10 to 200 characters',
    byDefault: '',
    meaning: 'Password of the first admin',
  },
  {
    name: 'HOMELEDGER_ADMIN_PASSWORD_FILE',
    takes: 'path',
    byDefault: '',
    meaning: 'File with that password; a final line break is ignored',
  },
  {
    name: 'TRUST_PROXY',
    takes: 'list of addresses, CIDR blocks, `loopback`, `private`',
    byDefault: '',
    meaning: 'Proxies whose forwarding headers are trusted',
  },
  {
    name: 'CORS_ORIGINS',
    takes: 'list of exact origins',
    byDefault: '',
    meaning: 'Origins whose scripts may call the API with a key',
  },
  {
    name: 'API_RATE_LIMIT_RPM',
    takes: '1 to 1,000,000',
    byDefault: '`120`',
    meaning: 'Requests per minute and API key',
  },
  {
    name: 'API_RATE_LIMIT_BURST',
    takes: '1 to 1,000,000',
    byDefault: '`60`',
    meaning: 'Requests that may arrive at once',
  },
  { name: 'LOG_LEVEL', takes: '`error`, `warn`, `info`, `debug`', byDefault: '`info`', meaning: 'How much is logged' },
  {
    name: 'LOG_FORMAT',
    takes: '`json`, `pretty`',
    byDefault: '`pretty` on a terminal, else `json`',
    meaning: 'Format of log lines',
  },
  {
    name: 'PLAID_CLIENT_ID',
    takes: 'printable ASCII',
    byDefault: '',
    meaning: 'Plaid credentials, together with `PLAID_SECRET`; they override stored ones',
  },
  { name: 'PLAID_SECRET', takes: 'printable ASCII', byDefault: '', meaning: 'The secret of `PLAID_CLIENT_ID`' },
  {
    name: 'PLAID_ENV',
    takes: PROVIDER_ENVIRONMENTS,
    byDefault: '`sandbox`',
    meaning: 'Plaid environment; overrides the stored one',
  },
  {
    name: 'PLAID_BASE_URL',
    takes: PROVIDER_URL,
    byDefault: 'by environment',
    meaning: 'Address of Plaid, for proxies and local test doubles',
  },
  {
    name: 'PLAID_LINK_SCRIPT_URL',
    takes: PROVIDER_URL,
    byDefault: 'the address of Plaid’s script',
    meaning: 'Script that opens Plaid’s window in the browser, for local test doubles',
  },
  {
    name: 'TELLER_APPLICATION_ID',
    takes: 'printable ASCII',
    byDefault: '',
    meaning: 'Teller application; overrides stored credentials',
  },
  {
    name: 'TELLER_CERT_FILE',
    takes: 'path of a PEM file',
    byDefault: '',
    meaning: 'Client certificate of `TELLER_APPLICATION_ID`, required unless `TELLER_ENV` is `sandbox`',
  },
  {
    name: 'TELLER_KEY_FILE',
    takes: 'path of a PEM file',
    byDefault: '',
    meaning: 'Private key of that certificate, without a password',
  },
  {
    name: 'TELLER_ENV',
    takes: PROVIDER_ENVIRONMENTS,
    byDefault: '`sandbox`',
    meaning: 'Teller environment; overrides the stored one',
  },
  {
    name: 'TELLER_WEBHOOK_SECRET',
    takes: 'one secret, or two separated by a comma',
    byDefault: '',
    meaning: 'Secret that Teller signs webhooks with; overrides the stored one',
  },
  {
    name: 'TELLER_BASE_URL',
    takes: PROVIDER_URL,
    byDefault: 'the address of Teller',
    meaning: 'Address of Teller, for proxies and local test doubles',
  },
  {
    name: 'TELLER_CONNECT_SCRIPT_URL',
    takes: PROVIDER_URL,
    byDefault: 'the address of Teller’s script',
    meaning: 'Script that opens Teller’s window in the browser, for local test doubles',
  },
  {
    name: 'WORKFLOW_MODEL_PROVIDER',
    takes: '`anthropic`, `openai`, `openai_compatible`',
    byDefault: '',
    meaning: 'Provider of the models that workflows use; overrides the setting',
  },
  {
    name: 'WORKFLOW_MODEL',
    takes: '1 to 200 characters',
    byDefault: '',
    meaning: 'Default model of workflows; overrides the setting',
  },
  {
    name: 'OPENAI_BASE_URL',
    takes: 'http or https URL without user name and query',
    byDefault: 'by provider',
    meaning: 'Address of the model server if the provider is `openai` or `openai_compatible`; overrides the setting',
  },
  {
    name: 'ANTHROPIC_API_KEY',
    takes: 'printable ASCII',
    byDefault: '',
    meaning: 'Key for the provider `anthropic`; sent only to Anthropic’s own address',
  },
  {
    name: 'OPENAI_API_KEY',
    takes: 'printable ASCII',
    byDefault: '',
    meaning: 'Key for the other two providers; sent only to OpenAI’s own address or to `OPENAI_BASE_URL`',
  },
] as const satisfies readonly Variable[];

export type VariableName = (typeof VARIABLES)[number]['name'];

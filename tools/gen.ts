import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import type { AnyOperation } from '../src/contract/operation.ts';
import { operations } from '../src/contract/registry.ts';
import { handlerFile } from '../src/features/load-handler.ts';
import { CONFIG_KEYS } from '../src/features/config/config-keys.ts';
import { VARIABLES } from '../src/kernel/environment.ts';
import { ERRORS } from '../src/kernel/errors.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { openApiText } from '../src/surfaces/http/openapi/openapi.ts';
import { importEvidence } from './import-evidence.ts';
import { LIMIT_MEANINGS } from './limit-meanings.ts';
import { toolsReference } from './tools-reference.ts';

/** Writes what is derived from the code; with --check only tells what is out of date, and exits 1. */

const files: Readonly<Record<string, string>> = {
  'openapi.json': openApiText(),
  'docs/reference/endpoints.md': endpoints(),
  'docs/reference/errors.md': errors(),
  'docs/reference/import-evidence.md': importEvidence(),
  'docs/reference/limits.md': limits(),
  'docs/reference/settings.md': settings(),
  'docs/reference/tools.md': toolsReference(),
};
const isCheck = process.argv.includes('--check');
const stale = Object.entries(files).filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
for (const [path, text] of stale) {
  if (isCheck) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
if (isCheck && stale.length > 0) {
  process.stderr.write(`Out of date, run \`npm run gen\`: ${stale.map(([path]) => path).join(', ')}\n`);
  process.exitCode = 1;
}

function endpoints(): string {
  const groups = [...new Set(operations.map((operation) => operation.group))];
  const parts = groups.map((group) => `## ${group}\n\n${table(operations.filter((one) => one.group === group))}\n`);
  return `# Endpoints\n\nGenerated from the operations. The last column is the file with the handler.\n\n${parts.join('\n')}`;
}

function table(list: readonly AnyOperation[]): string {
  const rows = list.map((one) => {
    const file = `src/features/${handlerFile(one)}`;
    const paths = [one.path, ...(one.aliases ?? [])].map((path) => `\`${path}\``).join(', ');
    return `| ${one.method} | ${paths} | ${one.scope === 'none' ? 'no key' : one.scope} | ${one.summary} | ${file} |`;
  });
  return ['| Method | Path | Scope | What | Handler |', '|---|---|---|---|---|', ...rows].join('\n');
}

function errors(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`);
  return `# Error codes\n\nGenerated from \`src/kernel/errors.ts\`. New codes may be added; existing ones stay.\n\n| Status | Code | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function limits(): string {
  const names = Object.keys(LIMITS) as (keyof typeof LIMITS)[];
  const rows = names.map((name) => `| ${name} | ${LIMITS[name].toLocaleString('en')} | ${LIMIT_MEANINGS[name]} |`);
  return `# Limits\n\nGenerated from \`src/kernel/limits.ts\` and \`tools/limit-meanings.ts\`. The unit is in the name.\n\n| Limit | Value | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function settings(): string {
  const variables = VARIABLES.map(
    ({ name, takes, byDefault, meaning }) => `| \`${name}\` | ${takes} | ${byDefault || '–'} | ${meaning} |`,
  );
  const stored = CONFIG_KEYS.map((known) => {
    const byDefault = known.defaultInWords ?? (known.byDefault() || null);
    const shown = known.defaultInWords === undefined && byDefault !== null ? `\`${byDefault}\`` : (byDefault ?? '–');
    return `| \`${known.key}\` | ${known.type} | ${shown} | ${known.description} |`;
  });
  return `# Settings

Generated from \`src/kernel/environment.ts\` and \`src/features/config/config-keys.ts\`.

## Environment variables

Read once, at the start. An empty value counts as not set. A wrong value, or an unknown name that begins with
\`HOMELEDGER_\`, stops the start with a message that lists every problem. Server commands read the same variables.

| Variable | Values | Default | Meaning |
|---|---|---|---|
${variables.join('\n')}

## Stored settings

Read with \`GET /config\`, changed with \`PUT /config/{key}\`, reset with \`DELETE /config/{key}\`. A change counts at once,
without a restart. The credentials of bank providers are set with \`PUT /settings/providers/{provider}\`, and never shown.

| Setting | Type | Default | Meaning |
|---|---|---|---|
${stored.join('\n')}
`;
}

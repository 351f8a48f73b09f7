import { openApiDocument } from './openapi.ts';

interface Described {
  tags: string[];
  summary: string;
  description?: string;
  'x-scope': string;
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { example?: unknown }> }>;
}
interface Schema {
  type?: string;
  enum?: unknown[];
  default?: unknown;
}

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8882;--accent:#0d9488}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:64rem;padding:1.5rem}
h1{margin:0}h2{border-bottom:1px solid var(--line);margin-top:2.5rem;text-transform:capitalize}
nav a{display:inline-block;margin:0 .75rem .25rem 0}
details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;padding:.5rem .75rem}
summary{cursor:pointer}summary:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
code,pre{font:14px/1.45 ui-monospace,monospace}pre{background:var(--soft);border-radius:.5rem;overflow:auto;padding:.75rem}
.method{display:inline-block;font-weight:700;min-width:4.5rem}.scope{font-size:.85em;opacity:.8}
table{border-collapse:collapse;width:100%}td,th{border-top:1px solid var(--line);padding:.25rem .5rem;text-align:left;vertical-align:top}`;

/** The reference for people: every operation, from the same document that machines read. No script, no network. */
export function docsPage(): string {
  return (made ??= makePage());
}
let made: string | undefined;

function makePage(): string {
  const document = openApiDocument() as {
    paths: Record<string, Record<string, Described>>;
    info: { description: string };
  };
  const byGroup = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const group = operation.tags[0] ?? 'other';
      byGroup.set(group, [...(byGroup.get(group) ?? []), section(method.toUpperCase(), path, operation)]);
    }
  }
  const groups = [...byGroup].map(
    ([name, parts]) => `<h2 id="${name}">${name.replaceAll('-', ' ')}</h2>${parts.join('')}`,
  );
  const links = [...byGroup.keys()].map((name) => `<a href="#${name}">${name.replaceAll('-', ' ')}</a>`).join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Homeledger API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head><body><main>
<h1>Homeledger API</h1><p>${escapeHtml(document.info.description)}</p>
<p>Send your key in the header <code>X-API-Key</code>. The machine-readable form is at <a href="/openapi.json">/openapi.json</a>.</p>
<nav aria-label="Groups">${links}</nav>${groups.join('')}</main></body></html>`;
}

function section(method: string, path: string, operation: Described): string {
  const rows = (operation.parameters ?? []).map(
    (parameter) =>
      `<tr><td><code>${escapeHtml(parameter.name)}</code>${parameter.required ? ' *' : ''}</td><td>${parameter.in}</td>` +
      `<td>${escapeHtml(typeOf(parameter.schema))}</td><td>${escapeHtml(parameter.description ?? '')}</td></tr>`,
  );
  const table =
    rows.length === 0
      ? ''
      : `<table><thead><tr><th>Name</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  const body = operation.requestBody?.content['application/json']?.example;
  const answers = Object.entries(operation.responses).map(([status, answer]) => {
    const example = answer.content?.['application/json']?.example;
    return `<p><strong>${status}</strong> ${escapeHtml(answer.description)}</p>${example === undefined ? '' : json(example)}`;
  });
  return `<details><summary><span class="method">${method}</span><code>${escapeHtml(path)}</code> ${escapeHtml(operation.summary)}
 <span class="scope">(${operation['x-scope'] === 'none' ? 'no key' : operation['x-scope']})</span></summary>
<p>${escapeHtml(operation.description ?? '')}</p>${table}${body === undefined ? '' : `<p><strong>Body</strong></p>${json(body)}`}${answers.join('')}</details>`;
}

function typeOf(schema: Schema): string {
  const type = schema.enum ? schema.enum.join(' | ') : (schema.type ?? 'text');
  return schema.default === undefined ? type : `${type} (default ${JSON.stringify(schema.default)})`;
}

function json(value: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { AppError } from '../../../kernel/errors.ts';

/** Pages without a script, for when the dashboard cannot be shown: its own styles are all that a policy must allow. */
interface PlainPage {
  title: string;
  /** Paragraphs of plain text. */
  text: readonly string[];
  refreshSeconds?: number;
  home?: boolean;
  referrerPolicy?: string;
}

const STYLE = `:root{color-scheme:light dark;font:1rem/1.6 ui-sans-serif,system-ui,sans-serif}
body{max-width:36rem;margin:15vh auto;padding:0 1.5rem;background:light-dark(#f6f4ef,#131715);color:light-dark(#1c2421,#e6eae7)}
h1{font:600 1.75rem/1.25 ui-serif,Georgia,serif}a{color:light-dark(#0d5c4b,#6fd0b3)}`;

export const NOT_FOUND_PAGE: PlainPage = {
  title: 'Not found',
  text: ['There is no page at this address. It may have moved, or the address may be mistyped.'],
  home: true,
};

export const BUILDING_PAGE: PlainPage = {
  title: 'The dashboard is being built',
  text: ['This happens once after an update and takes a few seconds. This page reloads by itself.'],
  refreshSeconds: 2,
};

/** The first line of the reason. What a build printed may name paths, so it is only in the server's log. */
export function failedPage(reason: string): PlainPage {
  const [first = ''] = reason.split('\n');
  return { title: 'The dashboard cannot be shown', text: [first, 'The API still works.'] };
}

export function errorPage(error: AppError, requestId: string): PlainPage {
  return { title: 'Something went wrong', text: [error.message, `Request ${requestId}`], home: true };
}

export function sendPlainPage(page: PlainPage, status: number, reply: FastifyReply): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('referrer-policy', page.referrerPolicy ?? 'same-origin')
    .type('text/html; charset=utf-8')
    .send(render(page));
}

/** Whether the caller is a person with a browser: `Accept` names `text/html`. */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const types = (headers.accept ?? '').split(',').map((type) => type.trim().toLowerCase());
  return types.some((type) => /^text\/html\b/.test(type) && !/;\s*q=0(\.0*)?$/.test(type));
}

function render({ title, text, refreshSeconds, home = false }: PlainPage): string {
  const refresh = refreshSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${refreshSeconds}">`;
  const paragraphs = text.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)} · Homeledger</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${refresh}<link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main><h1>${escaped(title)}</h1>${paragraphs}${home ? '<p><a href="/">Go to Home</a></p>' : ''}</main></body></html>
`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

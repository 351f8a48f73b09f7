import { readFile } from 'node:fs/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Instance } from '../../../features/handler.ts';
import { prepareLinkPage, prepareReturnPage, type LinkPage } from '../../../features/hosted-links/prepare-link-page.ts';
import type { AppError, ErrorCode } from '../../../kernel/errors.ts';
import type { Admission } from '../admission.ts';
import { toAppError } from '../error-answer.ts';
import { errorPage, escaped, sendPlainPage, wantsPage } from './plain-pages.ts';
import { READING, type Route } from '../routes.ts';

/** The pages on which a person connects a bank, without the dashboard and its build (contract 30.5.2). */

const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  // The bank's window may be a popup that talks to this page.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'x-robots-tag': 'noindex',
} as const;
const NOTHING_ELSE = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
const WITHOUT_SCRIPT = [...NOTHING_ELSE, "style-src 'unsafe-inline'", 'img-src data:'].join(';');

/** Title and text of the page of a link that leads nowhere. */
const ENDED: Readonly<Partial<Record<ErrorCode, readonly [title: string, text: string]>>> = {
  NOT_FOUND: ['This link is not known', 'Check that you opened the whole address, or ask for a new link.'],
  EXPIRED: ['This link has expired', 'Ask for a new one.'],
  CONSUMED: ['This link has been used', 'To connect another bank, ask for a new one.'],
  GONE: ['This link no longer works', 'Ask for a new one.'],
};

interface Options {
  instance: Instance;
  admission: Admission;
}

export function linkPageRoutes({ instance, admission }: Options): Route[] {
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    make: () => Promise<[page: LinkPage, texts: Texts]>,
  ): Promise<FastifyReply> {
    try {
      const [page, texts] = await make();
      const nonce = Buffer.from(instance.random.bytes(NONCE_BYTES)).toString('base64');
      reply.header('content-security-policy', policyOf(page, nonce)).type('text/html; charset=utf-8');
      return await reply.send(await render(page, nonce, texts));
    } catch (error) {
      const known = toAppError(error);
      if (known.status === 404) admission.chargeRefusal(request);
      if (!wantsPage(request)) throw error;
      if (known.status === 500) instance.logger.error({ err: error, request_id: request.id }, 'A page failed.');
      return sendPlainPage(failurePage(known, request.id), known.status, reply.headers(known.extra.headers ?? {}));
    }
  }

  const onRequest = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(HEADERS).header('content-security-policy', WITHOUT_SCRIPT);
    admission.chargeAddress(request);
  };
  const route = (url: string, handler: Route['handler']): Route => ({
    url,
    methods: READING,
    isOpen: true,
    onRequest,
    handler,
  });
  return [
    route('/link/oauth-return', (request, reply) =>
      answer(request, reply, async () => [await prepareReturnPage(instance), RETURN_PAGE]),
    ),
    route('/link/:token', (request, reply) =>
      answer(request, reply, async () => {
        const { token } = request.params as { token: string };
        const { provider } = request.query as { provider?: unknown };
        return [await prepareLinkPage(instance, token, typeof provider === 'string' ? provider : null), LINK_PAGE];
      }),
    ),
  ];
}

function failurePage(error: AppError, requestId: string) {
  const ended = ENDED[error.code];
  const page = ended ? { title: ended[0], text: [ended[1]] } : errorPage(error, requestId);
  return { ...page, home: false, referrerPolicy: 'no-referrer' };
}

/** Ours by a fresh nonce, and of others what the one provider needs that the page was prepared for. */
function policyOf({ part }: LinkPage, nonce: string): string {
  const own = `'nonce-${nonce}'`;
  const sources = part
    ? [
        `script-src ${own} ${part.scriptUrl}`,
        `frame-src ${part.frames.join(' ')}`,
        `connect-src 'self' ${part.connections.join(' ')}`,
        // Its window sets styles inline, which a nonce would forbid.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
      ]
    : [`script-src ${own}`, "connect-src 'self'", `style-src ${own}`, "img-src 'self' data:"];
  return [...NOTHING_ELSE, ...sources].join(';');
}

const NONCE_BYTES = 16;

interface Texts {
  title: string;
  text: string;
  script: 'page.js' | 'return.js';
}

const LINK_PAGE: Texts = { title: 'Connect a bank', text: 'One moment…', script: 'page.js' };
const RETURN_PAGE: Texts = { title: 'Back from your bank', text: 'One moment…', script: 'return.js' };

async function render({ provider, part, hasReturn }: LinkPage, nonce: string, texts: Texts): Promise<string> {
  const style = await load(new URL('./hosted-link/page.css', import.meta.url));
  const files = [ownFile('storage.js'), ...(part ? [part.adapter] : []), ownFile(texts.script)];
  const scripts = (await Promise.all(files.map(load))).join('\n');
  const chosen = provider === null ? '' : ` data-provider="${escaped(provider)}"`;
  // Ours are one block, whose names are not those of the page. The provider's script is the last, so that the page is there while it loads.
  const theirs = part ? `<script src="${escaped(part.scriptUrl)}"></script>` : '';
  return `<!doctype html>
<html lang="en" data-hosted-link data-returns="${hasReturn}"${chosen}><head><meta charset="utf-8">
<title>${escaped(texts.title)} · Homeledger</title><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><link rel="icon" href="data:,"><style nonce="${nonce}">${style}</style></head>
<body><header>Homeledger</header><main><h1 tabindex="-1">${escaped(texts.title)}</h1><p role="status">${escaped(texts.text)}</p>
<noscript><p>This page needs JavaScript. Please switch it on, or open the link in another browser.</p></noscript></main>
<script nonce="${nonce}">'use strict';{${scripts}}</script>${theirs}</body></html>
`;
}

function ownFile(name: string): URL {
  return new URL(`./hosted-link/${name}`, import.meta.url);
}

const loaded = new Map<string, Promise<string>>();

function load(file: URL): Promise<string> {
  let text = loaded.get(file.href);
  if (!text) {
    text = readFile(file, 'utf8');
    loaded.set(file.href, text);
    text.catch(() => loaded.delete(file.href));
  }
  return text;
}

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { AppError } from '../../../kernel/errors.ts';
import { READING, type Route } from '../routes.ts';
import { sendCached } from '../send-answer.ts';

/** The reference for people: Scalar, from its npm package, over the document that machines read. */
const DOCS_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Homeledger API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<script type="module" src="/docs/start.js"></script></head>
<body><noscript>This page needs JavaScript. The same reference as a document: <a href="/openapi.json">openapi.json</a>.</noscript>
<div id="reference"></div></body></html>
`;

/** System fonts, and nothing that would leave this origin: no proxy, no agent, no usage data. */
const DOCS_START = `import { createApiReference } from '/docs/ui/standalone.esm.js';
createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  layout: 'modern',
  theme: 'default',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: { c: true, clojure: true, csharp: true, dart: true, fsharp: true, objc: true, ocaml: true, r: true, swift: true, powershell: true, http: true },
  operationTitleSource: 'summary',
  metaData: { title: 'Homeledger API' },
});
`;

/** What the page can do: run its own scripts and call this origin. Its script creates its styles. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/** The page and its scripts; `charge` takes a token for the page only. */
export function docsRoutes(charge: (request: FastifyRequest) => void): Route[] {
  const pages = [
    ['/docs', 'text/html; charset=utf-8', DOCS_PAGE],
    ['/docs/start.js', JAVASCRIPT, DOCS_START],
  ] as const;
  // The page loads a dozen of these at once, and each is a cheap file.
  const folders = ['', 'chunks/'] as const;
  return [
    ...pages.map(([url, type, body]): Route => ({
      url,
      methods: READING,
      isOpen: true,
      onRequest: charge,
      handler: (request, reply) =>
        sendCached(body, type, request, reply.header('content-security-policy', DOCS_POLICY)),
    })),
    ...folders.map((folder): Route => ({
      url: `/docs/ui/${folder}:name`,
      methods: READING,
      isOpen: true,
      handler: (request, reply) => sendFile(folder, (request.params as { name: string }).name, reply),
    })),
  ];
}

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const FILE_NAME = /^[\w-][\w.-]*\.js$/;

/**
 * Streams one of the page's scripts from its package.
 * @throws NOT_FOUND for any other file
 */
async function sendFile(folder: '' | 'chunks/', name: string, reply: FastifyReply): Promise<FastifyReply> {
  if (!FILE_NAME.test(name)) throw new AppError('NOT_FOUND', 'This path does not exist.');
  // Resolved at the first call, so that the start does not touch the package.
  const file = new URL(`browser/${folder}${name}`, import.meta.resolve('@scalar/api-reference'));
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new AppError('NOT_FOUND', 'This path does not exist.');
  const etag = `"${found.size.toString(36)}-${Math.round(found.mtimeMs).toString(36)}"`;
  reply.header('etag', etag).header('cache-control', 'public, max-age=86400');
  if (reply.request.headers['if-none-match']?.replace(/^W\//, '') === etag) return reply.code(304).send();
  reply.type(JAVASCRIPT);
  return reply.send(reply.request.method === 'HEAD' ? undefined : createReadStream(file));
}

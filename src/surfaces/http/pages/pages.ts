import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { PAGES, redirectOf, type Page } from '../../../contract/pages.ts';
import { isFirstRun } from '../../../features/bootstrap/index.ts';
import type { Instance } from '../../../features/handler.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Admission } from '../admission.ts';
import type { Dashboard } from './built-dashboard.ts';
import { toAppError } from '../error-answer.ts';
import { BUILDING_PAGE, errorPage, failedPage, NOT_FOUND_PAGE, sendPlainPage, wantsPage } from './plain-pages.ts';
import { READING, type Route } from '../routes.ts';
import { sendCached } from '../send-answer.ts';

export interface PageOptions {
  instance: Instance;
  admission: Admission;
  dashboard: Dashboard;
}

/**
 * Scripts and styles only from files of ours: no inline script, no eval, no other origin, no frame (80.1). The style of the
 * first paint is in the page, and named by its hash.
 */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];
const FOREVER = 'public, max-age=31536000, immutable';
const ASSET_NAME = /^\w[\w-]*(\.[\w-]+)*\.(js|css|svg|png|webp|woff2|txt|webmanifest)$/;
/** A name that changes with the content; the list of licences has one that stays. */
const HASHED_NAME = /-[\w-]{8}\.\w+$/;
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  woff2: 'font/woff2',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
};

/** The pages of the dashboard and their files. */
export function pageRoutes({ instance, admission, dashboard }: PageOptions): Route[] {
  const firstRun = rememberFirstRun(instance);

  async function show(page: Page, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const isAccountPage = page.audience === 'visitor';
    if (!instance.config.dashboard && !isAccountPage) throw pathNotFound();
    reply.header('referrer-policy', 'same-origin').header('cache-control', isAccountPage ? 'no-store' : 'no-cache');
    const address = request.raw.url ?? '/';
    const visitor = { isFirstRun: await firstRun(), isSignedIn: (await admission.findSession(request)) !== null };
    const target = redirectOf(page, address, visitor);
    // With the dashboard off there is no `/` to lead to.
    if (page.path === '/setup' && target !== undefined && !instance.config.dashboard) throw pathNotFound();
    if (target !== undefined)
      return reply.code(303).header('cache-control', 'no-store').header('location', inAscii(target)).send();
    return sendShell(dashboard, request, reply);
  }

  const pages = PAGES.map((page): Route => ({
    url: page.path.replace(/\{(\w+)\}/g, ':$1'),
    methods: READING,
    isOpen: true,
    handler: (request, reply) => answerPage(instance, request, reply, () => show(page, request, reply)),
  }));
  const assets: Route = {
    url: '/assets/:name',
    methods: READING,
    isOpen: true,
    handler: (request, reply) => sendAsset(dashboard, request, reply),
  };
  return [...pages, assets, ...offlineRoutes(dashboard, instance)];
}

/** What a browser keeps of the dashboard, for when the server is away: the frame, and the script that keeps it. */
function offlineRoutes(dashboard: Dashboard, { config }: Instance): Route[] {
  const route = (url: string, send: Route['handler']): Route => ({
    url,
    methods: READING,
    isOpen: true,
    handler: (request, reply) => {
      if (!config.dashboard) throw pathNotFound();
      return send(request, reply.header('cache-control', 'no-cache').header('referrer-policy', 'same-origin'));
    },
  });
  return [
    route('/shell', (request, reply) => sendShell(dashboard, request, reply)),
    route('/service-worker.js', (request, reply) => {
      const state = dashboard.state();
      if (state.is !== 'ready') throw pathNotFound();
      // A worker has the policy of its own script: this one asks for files of ours and runs nothing else.
      reply.header('content-security-policy', "default-src 'none';connect-src 'self'");
      return sendFile(join(state.folder, 'service-worker.js'), 'service-worker.js', request, reply);
    }),
  ];
}

/** An unknown path: "Not found" inside the frame for whoever is signed in, and a plain page for everybody else. */
export async function sendNotFound(
  { instance, admission, dashboard }: PageOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isInside = instance.config.dashboard && (await admission.findSession(request).catch(() => null)) !== null;
  if (!isInside || dashboard.state().is !== 'ready') return sendPlainPage(NOT_FOUND_PAGE, 404, reply);
  reply.header('referrer-policy', 'same-origin').header('cache-control', 'no-store');
  // Without the name of what the browser has: that would make it a 304.
  delete request.headers['if-none-match'];
  return sendShell(dashboard, request, reply.code(404));
}

function sendAsset(dashboard: Dashboard, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { name } = request.params as { name: string };
  const state = dashboard.state();
  if (state.is !== 'ready' || !ASSET_NAME.test(name)) throw pathNotFound();
  const caching = HASHED_NAME.test(name) ? FOREVER : 'no-cache';
  return sendFile(join(state.folder, 'assets', name), name, request, reply.header('cache-control', caching));
}

/** A page, or a plain one that says why there is none. @throws what a program, or somebody at no page, is told */
export async function answerPage(
  { logger }: Instance,
  request: FastifyRequest,
  reply: FastifyReply,
  show: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await show();
  } catch (error) {
    const known = toAppError(error);
    if (known.status === 404 || !wantsPage(request)) throw error;
    if (known.status === 500) logger.error({ err: error, request_id: request.id }, 'A page failed.');
    reply.headers(known.extra.headers ?? {});
    return sendPlainPage(errorPage(known, request.id), known.status, reply);
  }
}

/** Asks the database until the household is set up; it stays so. */
function rememberFirstRun({ database }: Instance): () => Promise<boolean> {
  let isSetUp = false;
  return async () => {
    isSetUp ||= !(await database.read(isFirstRun));
    return !isSetUp;
  };
}

async function sendShell(dashboard: Dashboard, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const state = dashboard.state();
  if (state.is === 'building') return sendPlainPage(BUILDING_PAGE, 503, reply.header('retry-after', '2'));
  if (state.is === 'failed') return sendPlainPage(failedPage(state.reason), 503, reply);
  reply.header('content-security-policy', await policyOf(state.folder));
  return sendFile(join(state.folder, 'index.html'), 'index.html', request, reply);
}

const policies = new Map<string, string>();

/** The policy of the pages of a build. */
async function policyOf(folder: string): Promise<string> {
  let known = policies.get(folder);
  if (known === undefined) {
    const page = await readFile(join(folder, 'index.html'), 'utf8');
    const hashes = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(
      ([, style = '']) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    );
    known = [...POLICY, ["style-src 'self'", ...hashes].join(' ')].join(';');
    policies.set(folder, known);
  }
  return known;
}

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Sends a file as it was compressed at the build, in the best form that the browser takes. */
async function sendFile(
  path: string,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] as string;
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  const choices = [...ENCODINGS.filter(([encoding]) => accepted.has(encoding)), [undefined, ''] as const];
  for (const [encoding, suffix] of choices) {
    const body = await readFile(`${path}${suffix}`).catch(() => undefined);
    if (!body) continue;
    reply.header('vary', 'accept-encoding');
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    return sendCached(body, type, request, reply);
  }
  throw pathNotFound();
}

function acceptedEncodings(header: string | string[] | undefined): Set<string> {
  const parts = [header ?? ''].flat().join(',').toLowerCase().split(',');
  const taken = parts.filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part));
  return new Set(taken.map((part) => (part.split(';')[0] as string).trim()));
}

/** A header takes no other characters; what is encoded already stays as it is. */
function inAscii(path: string): string {
  return path.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}

function pathNotFound(): AppError {
  return new AppError('NOT_FOUND', 'This path does not exist.');
}

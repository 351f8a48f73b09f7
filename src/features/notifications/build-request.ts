import { createHmac } from 'node:crypto';

import type { PagePath } from '../../contract/pages.ts';
import { instantAt } from '../../kernel/dates.ts';
import type { Format, Priority } from './notification-events.contract.ts';
import { headerText } from './plain-text.ts';
import type { SubjectType } from './raise.ts';

/** What a message tells a channel. */
export interface Message {
  /** The delivery, which is the same for all attempts. */
  readonly id: string;
  readonly event: string;
  readonly priority: Priority;
  readonly title: string;
  /** null if only titles are sent. */
  readonly body: string | null;
  readonly data: Readonly<Record<string, string>>;
  /** Where the dashboard shows it. */
  readonly url: string | null;
}

/** Where it is sent, decrypted. */
export interface Target {
  readonly format: Format;
  readonly url: string;
  readonly secret: string | null;
  readonly token: string | null;
}

export interface HttpPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request of one attempt, at `now` (contract 50.4.5). */
export function buildRequest(target: Target, message: Message, now: number): HttpPost {
  return BUILDERS[target.format](target, message, now);
}

const BUILDERS: Readonly<Record<Format, (target: Target, message: Message, now: number) => HttpPost>> = {
  webhook: buildWebhook,
  ntfy: buildNtfy,
  gotify: buildGotify,
};

const JSON_TYPE = { 'content-type': 'application/json' };

function buildWebhook({ url, secret }: Target, message: Message, now: number): HttpPost {
  const { id, event, title, body, priority, data, url: page } = message;
  const text = JSON.stringify({ id, event, title, body, priority, url: page, sent_at: instantAt(now), data });
  const timestamp = String(Math.floor(now / 1_000));
  const headers = {
    ...JSON_TYPE,
    'homeledger-event': event,
    'homeledger-delivery': id,
    'homeledger-timestamp': timestamp,
    'homeledger-signature': `v1=${createHmac('sha256', secret ?? '')
      .update(`${timestamp}.${text}`)
      .digest('hex')}`,
  };
  return { url: new URL(url), headers, body: text };
}

const NTFY_PRIORITIES: Readonly<Record<Priority, string>> = { info: '3', warning: '4', critical: '5' };

function buildNtfy({ url, token }: Target, { title, body, priority, url: page }: Message): HttpPost {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    title: headerText(title),
    priority: NTFY_PRIORITIES[priority],
    ...(page === null ? {} : { click: page }),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  return { url: new URL(url), headers, body: body ?? title };
}

const GOTIFY_PRIORITIES: Readonly<Record<Priority, number>> = { info: 4, warning: 7, critical: 10 };

function buildGotify({ url, token }: Target, { title, body, priority, url: page }: Message): HttpPost {
  const to = new URL(url);
  to.pathname = `${to.pathname.replace(/\/+$/, '')}/message`;
  const text = JSON.stringify({
    title,
    message: body ?? title,
    priority: GOTIFY_PRIORITIES[priority],
    ...(page === null ? {} : { extras: { 'client::notification': { click: { url: page } } } }),
  });
  return { url: to, headers: { ...JSON_TYPE, ...(token === null ? {} : { 'x-gotify-key': token }) }, body: text };
}

/** Imports have no page yet. */
const SUBJECT_PAGES: Readonly<Partial<Record<SubjectType, PagePath>>> = {
  report: '/reports/{id}',
  sync_log: '/sync-logs/{id}',
  connection: '/connections/{id}',
  run: '/runs/{id}',
  proposal: '/proposals/{id}',
};

/** The page about a subject, if the address of the dashboard is known and there is such a page. */
export function pageAbout(baseUrl: string | null, type: string | null, id: string | null): string | null {
  const path = type === null ? undefined : SUBJECT_PAGES[type as SubjectType];
  if (baseUrl === null || id === null || path === undefined) return null;
  return baseUrl.replace(/\/$/, '') + path.replace('{id}', id);
}

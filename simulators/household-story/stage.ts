import type { App } from '../../src/app.ts';
import { signInMember } from '../../src/features/demo/index.ts';
import {
  addDays,
  DAY_MS,
  HOUR_MS,
  machineTimeZone,
  MINUTE_MS,
  startOfDay,
  type DateOnly,
} from '../../src/kernel/dates.ts';
import type { StoryClock } from './story-clock.ts';

/** Who acts in the story, as their requests reach the service. */
export interface Actor {
  // oxlint-disable-next-line typescript/no-explicit-any -- what is answered is the API's
  readonly ask: (method: string, path: string, body?: object) => Promise<any>;
}

/** The household's days, told from the past to the present through the service's own doors. */
export interface Stage {
  app: App;
  /** The last day of the household's transactions. */
  until: DateOnly;
  ada: Actor;
  ben: Actor;
  /** The time is so many days before the last one, at `HH:mm` here; it only goes forward. */
  readonly at: (daysAgo: number, time: string) => void;
  readonly dayAgo: (days: number) => DateOnly;
  /** What others than people send, such as a bank. */
  readonly send: (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ) => Promise<string>;
  readonly nowMs: () => number;
  readonly sync: () => Promise<void>;
  /** Works on the runs and messages that wait, to their end. */
  readonly work: () => Promise<void>;
}

/** Seconds between two things that somebody does. */
const PAUSE_SECONDS = 37;
const SIGNS_IN_EVERY_MS = 3 * DAY_MS;
const MESSAGE_CHARS = 2_000;
const JSON_BODY = { 'content-type': 'application/json' };
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Version/19.1 Mobile Safari/604.1';
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0';

export async function setStage(app: App, clock: StoryClock, until: DateOnly): Promise<Stage> {
  const [http, zone] = [await app.http(), machineTimeZone()];
  const send: Stage['send'] = async (method, url, headers, payload) => {
    clock.advance(PAUSE_SECONDS);
    const sent = payload === '' ? {} : { payload };
    const { statusCode, body } = await http.inject({ method: method as 'GET', url, headers, ...sent });
    if (statusCode >= 400) throw new Error(`The demo's ${method} ${url} failed: ${body.slice(0, MESSAGE_CHARS)}`);
    return body;
  };
  const person = (identifier: string, userAgent: string): Actor => {
    let cookies: Readonly<Record<string, string>> = {};
    let signedInAt = 0;
    return {
      async ask(method, path, body) {
        if (clock.now() - signedInAt > SIGNS_IN_EVERY_MS) {
          signedInAt = clock.now();
          cookies = await signInMember(app.instance, identifier, { userAgent, cookies });
        }
        const cookie = Object.entries(cookies)
          .map((pair) => pair.join('='))
          .join('; ');
        const url = path.startsWith('/') ? path : `/api/v1/${path}`;
        const [type, payload] = body === undefined ? [{}, ''] : [JSON_BODY, JSON.stringify(body)];
        const answered = await send(method, url, { cookie, 'sec-fetch-site': 'same-origin', ...type }, payload);
        return answered === '' ? undefined : JSON.parse(answered);
      },
    };
  };
  return {
    app,
    until,
    ada: person('ada@home.example', DESKTOP),
    ben: person('ben@home.example', PHONE),
    at(daysAgo, time) {
      const [hours = 0, minutes = 0] = time.split(':').map(Number);
      clock.standAt(Date.parse(startOfDay(zone, addDays(until, -daysAgo))) + hours * HOUR_MS + minutes * MINUTE_MS);
    },
    dayAgo: (days) => addDays(until, -days),
    send,
    nowMs: () => clock.now(),
    sync: () => workOn([app.instance.syncs()]),
    work: () => workOn([app.instance.runs(), app.instance.notifications()]),
  };
}

async function workOn(loops: readonly { look(): Promise<unknown>; settled(): Promise<unknown> }[]): Promise<void> {
  for (const loop of loops) {
    await loop.look();
    await loop.settled();
  }
}

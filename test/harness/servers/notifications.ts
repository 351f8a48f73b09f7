import type { Occurrence } from '../../../src/features/notifications/index.ts';
import { raise } from '../../../src/features/notifications/index.ts';
import type { Answer, TestApp } from '../test-app.ts';

const CHANNELS = '/api/v1/notification-channels';

/** Receivers of tests listen on loopback, which has to be allowed. */
export async function allowPrivateNetworks(app: TestApp, isAllowed = true): Promise<void> {
  await app.request('PATCH', '/api/v1/settings/notifications', { body: { allow_private_networks: isAllowed } });
}

/** A channel as the API makes it, with whatever it shows once. */
export async function addChannel(app: TestApp, body: Readonly<Record<string, unknown>>): Promise<Answer['json']> {
  const answer = await app.request('POST', CHANNELS, { body: { name: 'Hook', format: 'webhook', ...body } });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json;
}

export function occurrence(occurrenceId: string, about: Partial<Occurrence> = {}): Occurrence {
  return {
    event: 'report.created',
    occurrenceId,
    priority: 'info',
    title: 'Something happened',
    body: 'Line one\nLine two',
    data: {},
    subjectType: null,
    subjectId: null,
    ...about,
  };
}

/** Tells the household something, in a write of its own. */
export async function tell(app: TestApp, about: Partial<Occurrence> = {}): Promise<void> {
  await app.write('test.tell', (tx) => raise(tx, occurrence(about.occurrenceId ?? tx.ids.uuid(), about)));
}

/** Sends what is due, and waits for all attempts to end. */
export async function sendDue({ app: { instance } }: TestApp): Promise<void> {
  await instance.notifications().look();
  await instance.notifications().settled();
}

export async function deliveries(app: TestApp, query: Readonly<Record<string, string>> = {}): Promise<Answer['json']> {
  return (await app.request('GET', '/api/v1/notification-deliveries', { query })).json;
}

/** Status and attempts of each delivery, oldest first. */
export async function states(app: TestApp): Promise<[string, number][]> {
  const all: { status: string; attempts: number }[] = await deliveries(app);
  return all.map(({ status, attempts }): [string, number] => [status, attempts]).toReversed();
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { expect, test, vi } from 'vitest';

import { eventually } from '../../../test/harness/eventually.ts';
import { useSimulators } from '../../../test/harness/banks/simulators.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import type { Access, FetchedPart, FetchOutcome, Provider } from '../../providers/provider.ts';
import type { WebhookRequest } from '../../providers/webhook.ts';
import { openProvider } from './open-provider.ts';
import { wantedWebhookUrl } from './settings-in-force.ts';

const simulators = useSimulators();

/** What undici tells of each connection before it is made. */
interface Connecting {
  connectParams: { hostname: string };
}

async function open(app: TestApp, name: string): Promise<Provider> {
  const provider = await openProvider(app.app.instance, name);
  if (!provider) throw new Error(`${name} is not configured`);
  return provider;
}

async function fetchAll(
  provider: Provider,
  access: Access,
  position: string | null = null,
): Promise<{ parts: FetchedPart[]; names: string[]; outcome: FetchOutcome }> {
  const parts: FetchedPart[] = [];
  const request = { position, accounts: [], isFull: false, signal: new AbortController().signal };
  const running = provider.fetch(access, request);
  for (;;) {
    const { value, done } = await running.next();
    if (!done) {
      parts.push(value);
      continue;
    }
    const rows = parts.flatMap((part) => (part.kind === 'rows' ? part.rows : []));
    return { parts, names: rows.map(({ name, amountCents }) => `${name} ${amountCents}`), outcome: value };
  }
}

/** What the simulator sends, as a request of the app would hand it over. */
function asRequest({ headers, body }: { headers: object; body: string | Uint8Array }): WebhookRequest {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { headers: Object.fromEntries(lower) as Record<string, string>, body: Buffer.from(body) };
}

forEachDatabase(
  ({ open: openApp }) => {
    test('a bank of Plaid is linked, read page by page, and left', async () => {
      for (const variable of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'])
        vi.stubEnv(variable, 'http://127.0.0.1:9');
      const hosts = new Set<string>();
      const note = (message: unknown): void => void hosts.add((message as Connecting).connectParams.hostname);
      subscribe('undici:client:beforeConnect', note);
      const app = await openApp({ env: simulators.env });
      const { control } = simulators.plaid;
      const plaid = await open(app, 'plaid');
      const made = control.addItem();
      const session = await plaid.createLinkSession({ memberId: 'm-1', renewing: null });
      expect(session).toMatchObject({
        provider: 'plaid',
        environment: 'sandbox',
        link_token: expect.stringMatching(/^link-sandbox-/),
      });
      const access = await plaid.exchange({ public_token: made.public_token });
      expect(access.itemId).toBe(made.item_id);
      await expect(plaid.exchange({ public_token: made.public_token })).rejects.toMatchObject({
        code: 'INVALID_PUBLIC_TOKEN',
      });
      const added = Array.from({ length: 1_001 }, (_, at) => ({ name: `Row ${at}`, amount: at === 0 ? 12.1 : 1 }));
      control.changeTransactions(made.item_id, { added });
      const first = await fetchAll(plaid, access);
      expect([first.parts.length, first.names.length, first.names[0]]).toEqual([3, 1_001, 'Row 0 1210']);
      expect(first.outcome).toMatchObject({ isCompleteRead: true, history: 'complete', problems: [] });
      expect(first.outcome.state?.accounts.length).toBe(made.accounts.length);
      const again = await fetchAll(plaid, access, first.outcome.position);
      expect([again.parts, again.outcome.isCompleteRead]).toEqual([[], false]);
      control.changeItem(made.item_id, { error: 'ITEM_LOGIN_REQUIRED' });
      await expect(fetchAll(plaid, access)).rejects.toMatchObject({
        failureClass: 'login',
        code: 'ITEM_LOGIN_REQUIRED',
      });
      expect(await plaid.proveLogin(access, {})).toBeNull();
      control.changeItem(made.item_id, { error: null });
      expect(await plaid.proveLogin(access, {})).toEqual(access);
      await plaid.revoke(access);
      await expect(plaid.readItem(access)).rejects.toMatchObject({ failureClass: 'item', code: 'ITEM_NOT_FOUND' });
      vi.unstubAllEnvs();
      unsubscribe('undici:client:beforeConnect', note);
      expect(hosts).toEqual(new Set(['127.0.0.1']));
    });

    test('a change between two pages begins again, and a foreign position is dropped', async () => {
      const app = await openApp({ env: simulators.env });
      const { control } = simulators.plaid;
      const plaid = await open(app, 'plaid');
      const [made, other] = [control.addItem(), control.addItem()];
      const access = await plaid.exchange({ public_token: made.public_token });
      const foreign = await plaid.exchange({ public_token: other.public_token });
      control.changeTransactions(made.item_id, { added: Array.from({ length: 501 }, () => ({ amount: 1 })) });
      const request = { position: null, accounts: [], isFull: false, signal: new AbortController().signal };
      const running = plaid.fetch(access, request);
      await running.next();
      control.addFault({
        path: '/transactions/sync',
        times: 1,
        status: 400,
        body: {
          error_type: 'TRANSACTIONS_ERROR',
          error_code: 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION',
          error_message: 'x',
        },
      });
      const kinds: string[] = [];
      for await (const { kind } of running) kinds.push(kind);
      expect(kinds).toEqual(['restart', 'rows', 'rows']);
      const { outcome } = await fetchAll(plaid, foreign);
      const reset = await fetchAll(plaid, access, outcome.position ?? 'none');
      expect([reset.outcome.isPositionReset, reset.names.length]).toEqual([true, 501]);
    });

    test('an enrollment of Teller is read and left', async () => {
      const app = await openApp({ env: simulators.env });
      const { control } = simulators.teller;
      const teller = await open(app, 'teller');
      const { access_token, enrollment_id, accounts } = control.addEnrollment();
      const access = await teller.exchange({ access_token, enrollment_id });
      expect((await teller.readItem(access)).item.id).toBe(enrollment_id);
      const [checking, card] = accounts;
      const put = Array.from({ length: 251 }, (_, at) => ({
        account_id: checking?.id,
        amount: '-1.00',
        description: `Row ${at}`,
        date: '2026-04-01',
      }));
      control.changeTransactions(enrollment_id, {
        put: [...put, { account_id: card?.id, amount: '5.00', description: 'Card', date: '2026-04-02' }],
      });
      const { names, outcome } = await fetchAll(teller, access);
      expect([names.length, new Set(names).size, names.includes('Card 500'), names.includes('Row 7 100')]).toEqual([
        252,
        252,
        true,
        true,
      ]);
      expect(outcome).toMatchObject({ isCompleteRead: true, problems: [], withoutBalance: [] });
      expect(outcome.state?.accounts.map(({ balance }) => balance !== null)).toEqual([true, true]);
      control.changeEnrollment(enrollment_id, { disconnected: 'user_action.mfa_required' });
      const code = 'enrollment.disconnected.user_action.mfa_required';
      await expect(fetchAll(teller, access)).rejects.toMatchObject({ failureClass: 'login', code });
      control.changeEnrollment(enrollment_id, { disconnected: null });
      await teller.revoke(access);
      await expect(teller.readItem(access)).rejects.toMatchObject({ failureClass: 'login', code: 'forbidden' });
    });

    test('webhooks of both simulators are believed as they are signed', async () => {
      const app = await openApp({ env: simulators.env });
      const [plaid, teller] = [await open(app, 'plaid'), await open(app, 'teller')];
      const { item_id } = simulators.plaid.control.addItem();
      const { enrollment_id } = simulators.teller.control.addEnrollment();
      const verdicts = async (): Promise<unknown[]> => {
        const said: unknown[] = [];
        // The simulator lets its present key expire, which nobody notices who already knows it.
        for (const tamper of [
          'expired_key',
          'none',
          'no_header',
          'wrong_body_hash',
          'wrong_key',
          'unknown_kid',
          'alg_hs256',
          'alg_none',
        ] as const) {
          const verdict = await plaid.receiveWebhook?.(
            asRequest(simulators.plaid.control.signWebhook({ item_id, tamper })),
          );
          said.push(verdict?.verdict);
        }
        for (const tamper of ['none', 'no_header', 'wrong_secret', 'wrong_body', 'second_signature'] as const) {
          const sent = simulators.teller.control.signWebhook({ enrollment_id, type: 'transactions.processed', tamper });
          said.push((await teller.receiveWebhook?.(asRequest(sent)))?.verdict);
        }
        return said;
      };
      const refused = (count: number): string[] => Array.from({ length: count }, () => 'rejected');
      expect(await verdicts()).toEqual(['rejected', 'accepted', ...refused(6), 'accepted', ...refused(3), 'accepted']);
      const { kid } = simulators.plaid.control.rotateKeys();
      const verdict = await plaid.receiveWebhook?.(asRequest(simulators.plaid.control.signWebhook({ item_id })));
      expect([typeof kid, verdict?.verdict]).toEqual(['string', 'accepted']);
    });

    test('credentials are tested over the API, and say nothing of the secret', async () => {
      const app = await openApp({ env: simulators.env });
      for (const name of ['plaid', 'teller']) {
        const { status, json } = await app.request('POST', `/api/v1/providers/${name}/test`);
        expect([status, json.ok, json.message]).toEqual([200, true, expect.stringMatching(/accepts|asks for no/)]);
      }
      const body = { error_type: 'INVALID_INPUT', error_code: 'INVALID_API_KEYS', error_message: 'wrong secret-sim' };
      simulators.plaid.control.addFault({ path: '/institutions/get', status: 400, body });
      const { json } = await app.request('POST', '/api/v1/providers/plaid/test');
      expect([json.ok, json.message.includes('INVALID_API_KEYS')]).toEqual([false, true]);
      expect(`${json.message}${app.logs.join('')}`).not.toContain('secret-sim');
    });

    test('an app closes its connections to providers when it ends', async () => {
      const app = await openApp({ env: simulators.env });
      const plaid = await open(app, 'plaid');
      await plaid.test();
      await app.close();
      await eventually(async () => expect((await plaid.test()).message).toContain('cannot be reached'));
    });
  },
  ['SQLite'],
);

forEachDatabase(({ open: openApp }) => {
  test('a client lives as long as its settings', async () => {
    const { env } = simulators;
    const app = await openApp({ env: { PLAID_BASE_URL: env['PLAID_BASE_URL'] } });
    const put = async (path: string, body: unknown): Promise<void> => {
      expect((await app.request('PUT', `/api/v1/${path}`, { body })).status).toBe(200);
    };
    expect(await openProvider(app.app.instance, 'plaid')).toBeUndefined();
    await put('settings/providers/plaid', { client_id: 'client', secret: 'one' });
    const first = await open(app, 'plaid');
    expect(await open(app, 'plaid')).toBe(first);
    await put('settings/providers/plaid', { secret: 'two' });
    const second = await open(app, 'plaid');
    expect(second).not.toBe(first);
    await put('config/plaid_country_codes', { value: ['US', 'CA'] });
    await put('config/plaid_language', { value: 'es' });
    await put('config/plaid_redirect_uri', { value: 'https://home.example/link/oauth-return' });
    await put('config/public_base_url', { value: 'https://home.example' });
    const link = { memberId: 'm-1', renewing: null };
    // The old client goes on to the end of what it does.
    for (const one of [first, await open(app, 'plaid')]) await one.createLinkSession(link);
    const sent = simulators.plaid.control.requests().map(({ headers, body }) => [headers['plaid-secret'], body]);
    expect(sent).toMatchObject([
      ['one', { language: 'en', country_codes: ['US'] }],
      [
        'two',
        {
          language: 'es',
          country_codes: ['US', 'CA'],
          redirect_uri: 'https://home.example/link/oauth-return',
          webhook: 'https://home.example/webhooks/plaid',
        },
      ],
    ]);
    expect(sent[0]?.[1]).not.toHaveProperty('webhook');
    await put('settings/providers/plaid', { client_id: null, secret: null });
    expect(await openProvider(app.app.instance, 'plaid')).toBeUndefined();
    for (const name of ['csv', 'mint', 'constructor'])
      expect(await openProvider(app.app.instance, name)).toBeUndefined();
  });
});

test('webhooks go to the stored address, else to one below a public https address', () => {
  for (const [stored, base, wanted] of [
    [null, null, null],
    [null, 'http://192.168.1.5:8080', null],
    [null, 'https://home.example', 'https://home.example/webhooks/plaid'],
    ['https://hooks.example', 'https://home.example', 'https://hooks.example/webhooks/plaid'],
    ['https://hooks.example/', null, 'https://hooks.example/webhooks/plaid'],
    ['https://hooks.example/?a=1', null, 'https://hooks.example/webhooks/plaid?a=1'],
    ['https://hooks.example/relay', null, 'https://hooks.example/relay'],
  ] as const) {
    expect([stored, base, wantedWebhookUrl(stored, base)]).toEqual([stored, base, wanted]);
  }
});

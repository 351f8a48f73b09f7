import { toAccess } from '../../../src/providers/access.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import { createTeller, type TellerSettings } from '../../../src/providers/teller/teller-provider.ts';
import { fakeOutside, type Recorded, type Scripted, type ScriptedServer } from '../servers/scripted-server.ts';

/** What Teller answers, and clients of it for tests that script every answer. */

export const TOKEN = 'test_token_1';
export const ACCESS = toAccess('enr_1', TOKEN);

export function tellerAt(baseUrl: string, change: Partial<TellerSettings> = {}): Provider {
  const settings = { applicationId: 'app_1', environment: 'sandbox', keyPair: null, webhookSecret: null } as const;
  return createTeller({ ...settings, baseUrl, ...change }, fakeOutside());
}

export function account(id: string, change: object = {}): object {
  const links = { balances: 'x', transactions: 'x' };
  const institution = { id: 'security_cu', name: 'Security Credit Union' };
  const basic = {
    id,
    enrollment_id: 'enr_1',
    type: 'depository',
    subtype: 'checking',
    status: 'open',
    currency: 'USD',
  };
  return { ...basic, last_four: '7857', name: `Account ${id}`, institution, links, ...change };
}

export function row(id: string, change: object = {}): object {
  const details = {
    processing_status: 'complete',
    category: 'dining',
    counterparty: { name: 'BLUE BOTTLE', type: 'x' },
  };
  const basic = { id, account_id: 'acc_1', amount: '-86.46', date: '2026-02-28', description: 'SQ *BLUE BOTTLE' };
  return { ...basic, status: 'posted', type: 'card_payment', running_balance: '1.00', details, links: {}, ...change };
}

export const refusal = (status: number, code: string): Scripted => ({
  status,
  json: { error: { code, message: 'no' } },
});

export type Routes = Readonly<Record<string, Scripted | ((request: Recorded) => Scripted)>>;

/** Has a server answer by path; any other path is 404. Rows that are not scripted page by page are the only page. */
export function answerAt(server: ScriptedServer, routes: Routes): void {
  server.script((request) => {
    const route = routes[request.path.split('?')[0] ?? ''] ?? refusal(404, 'not_found');
    if (typeof route === 'function') return route(request);
    const isArray = typeof route === 'object' && 'json' in route && Array.isArray(route.json);
    return isArray && request.path.includes('from_id=') ? { json: [] } : route;
  });
}

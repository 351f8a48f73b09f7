import type { TLSSocket } from 'node:tls';

import { isDateOnly } from '../../src/kernel/dates.ts';
import type { SimulatedAnswer, SimulatedRequest } from '../providers/simulator-server.ts';
import type { Enrollment, TellerAccount, TellerTransaction } from './records.ts';
import { findEnrollmentByToken, type TellerWorld } from './world.ts';

/** Ends the handling of a request with Teller's error. */
class TellerError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message = `simulated ${code}`) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** How the client's certificate was taken. */
export type CertificateCheck = (socket: TLSSocket) => boolean;

/** Answers a request to Teller's API. */
export function answerTeller(
  world: TellerWorld,
  request: SimulatedRequest,
  base: string,
  isCertificateAccepted: CertificateCheck,
): SimulatedAnswer {
  try {
    if (request.method === 'GET' && request.path === '/institutions') return { status: 200, body: institutions(world) };
    if (world.requiresCertificate && !isCertificateAccepted(request.socket as TLSSocket)) {
      throw new TellerError(400, 'bad_request', 'Missing or wrong client certificate');
    }
    return route(world, request, base);
  } catch (error) {
    if (!(error instanceof TellerError)) throw error;
    return { status: error.status, body: { error: { code: error.code, message: error.message } } };
  }
}

function route(world: TellerWorld, request: SimulatedRequest, base: string): SimulatedAnswer {
  const [, first, accountId, part, ...rest] = request.path.split('/');
  if (first !== 'accounts' || rest.length > 0) throw new TellerError(404, 'not_found', 'No such page');
  const enrollment = authenticate(world, request);
  if (accountId === undefined) {
    if (request.method === 'DELETE') {
      enrollment.isRevoked = true;
      return { status: 204 };
    }
    if (request.method !== 'GET') throw new TellerError(404, 'not_found', 'No such page');
    return { status: 200, body: enrollment.accounts.map((account) => accountRecord(enrollment, account, base)) };
  }
  const account = enrollment.accounts.find(({ id }) => id === accountId);
  if (request.method !== 'GET' || !account) throw new TellerError(404, 'not_found', 'No such account');
  if (part === undefined) return { status: 200, body: accountRecord(enrollment, account, base) };
  if (account.status === 'closed') throw new TellerError(410, 'account.closed', 'The account is closed');
  if (part === 'balances' && account.links.includes('balances')) {
    return { status: 200, body: balancesRecord(account, base) };
  }
  if (part === 'transactions' && account.links.includes('transactions')) {
    return { status: 200, body: transactionsOf(world, enrollment, account, request, base) };
  }
  throw new TellerError(404, 'not_found', 'No such page');
}

function authenticate(world: TellerWorld, { headers }: SimulatedRequest): Enrollment {
  const token = tokenOf(headers['authorization']);
  if (token === undefined) throw new TellerError(401, 'unauthorized', 'Missing access token');
  const enrollment = findEnrollmentByToken(world, token);
  if (!enrollment || enrollment.isRevoked) throw new TellerError(403, 'forbidden', 'Invalid or revoked access token');
  if (enrollment.disconnected !== null) {
    const ending = enrollment.disconnected === '' ? '' : `.${enrollment.disconnected}`;
    throw new TellerError(404, `enrollment.disconnected${ending}`, 'The enrollment is disconnected');
  }
  return enrollment;
}

/** The user of HTTP Basic; undefined without one, and with a password, which Teller's clients never have. */
export function tokenOf(authorization: string | undefined): string | undefined {
  const encoded = /^basic ([\w+/=]+)$/i.exec(authorization ?? '')?.[1];
  const decoded = Buffer.from(encoded ?? '', 'base64').toString();
  return decoded.endsWith(':') && decoded.length > 1 ? decoded.slice(0, -1) : undefined;
}

function accountRecord(enrollment: Enrollment, account: TellerAccount, base: string): object {
  const { id, type, subtype, status, currency, last_four, name, links } = account;
  const self = `${base}/accounts/${id}`;
  return {
    id,
    enrollment_id: enrollment.enrollment_id,
    type,
    subtype,
    status,
    currency,
    last_four,
    name,
    institution: enrollment.institution,
    links: { self, ...Object.fromEntries(links.map((link) => [link, `${self}/${link}`])) },
  };
}

function balancesRecord({ id, balances: { ledger, available } }: TellerAccount, base: string): object {
  const account = `${base}/accounts/${id}`;
  return { account_id: id, ledger, available, links: { self: `${account}/balances`, account } };
}

/** One page, newest first, by date and then by insertion. Parameters that Teller does not know mean nothing to it. */
function transactionsOf(
  { pageRows }: TellerWorld,
  enrollment: Enrollment,
  { id: accountId }: TellerAccount,
  { query }: SimulatedRequest,
  base: string,
): object[] {
  const { start_date: start = '0000-00-00', end_date: end = '9999-99-99', from_id: fromId } = query;
  for (const [name, value] of [
    ['start_date', query['start_date']],
    ['end_date', query['end_date']],
  ]) {
    if (value !== undefined && !isDateOnly(value)) throw new TellerError(422, 'invalid_date', `${name} is not a date`);
  }
  const count = Math.min(countOf(query['count']), pageRows);
  const rows = newestFirst(enrollment, accountId).filter(({ date }) => date >= start && date <= end);
  const at = fromId === undefined ? 0 : rows.findIndex(({ id }) => id === fromId) + 1;
  if (fromId !== undefined && at === 0) throw new TellerError(404, 'not_found', 'No transaction has the id of from_id');
  return rows.slice(at, at + count).map((row) => ({
    ...row,
    links: { self: `${base}/accounts/${accountId}/transactions/${row.id}`, account: `${base}/accounts/${accountId}` },
  }));
}

function countOf(text: string | undefined): number {
  if (text === undefined) return Infinity;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new TellerError(422, 'invalid_count', 'count is not a positive number');
  return Number(text);
}

/** Pages of one reading come from one order, which is worked out once. */
const known = new WeakMap<Enrollment, { version: number; byAccount: Map<string, TellerTransaction[]> }>();

function newestFirst(enrollment: Enrollment, accountId: string): readonly TellerTransaction[] {
  const { version, transactions } = enrollment;
  let order = known.get(enrollment);
  if (order?.version !== version) {
    const rows = [...transactions.values()].toReversed();
    rows.sort((a, b) => (a.date > b.date ? -1 : Number(a.date < b.date)));
    order = { version, byAccount: Map.groupBy(rows, ({ account_id }) => account_id) };
    known.set(enrollment, order);
  }
  return order.byAccount.get(accountId) ?? [];
}

function institutions({ enrollments }: TellerWorld): object[] {
  const known = new Map([['security_cu', 'Security Credit Union']]);
  for (const { institution } of enrollments.values()) known.set(institution.id, institution.name);
  return [...known].map(([id, name]) => ({ id, name, products: ['balance', 'transactions'] }));
}

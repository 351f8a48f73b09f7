import { z } from 'zod';

import { ClockSchema, ControlError, InstantSchema, type ControlRoute } from '../providers/control-routes.ts';
import { FaultSchema, type FaultToAdd } from '../providers/faults.ts';
import { householdWorld, type BankFile } from '../providers/household-banks.ts';
import type { LoggedRequest } from '../providers/request-log.ts';
import type { SimulatorServer } from '../providers/simulator-server.ts';
import { deliverWebhook, type WebhookDelivery } from '../providers/webhook-delivery.ts';
import { liveTellerDay } from './next-day.ts';
import { fillTellerWorld, TELLER_WORLDS } from './ready-made.ts';
import type { Enrollment, TellerAccount, TellerTransaction } from './records.ts';
import { signTellerWebhook, TELLER_TAMPERS, type SignedWebhook } from './webhooks.ts';
import {
  emptyTellerWorld,
  makeEnrollment,
  newTransactionId,
  PAGE_ROWS_MAX,
  renumbered,
  WEBHOOK_SECRETS,
  withId,
  type AccountToMake,
  type TellerWorld,
} from './world.ts';

const money = z.string().regex(/^-?\d+(\.\d+)?$/);
const AccountSchema = z.strictObject({
  id: z.string().optional(),
  type: z.string().default('depository'),
  subtype: z.string().default('checking'),
  status: z.enum(['open', 'closed']).default('open'),
  currency: z.string().default('USD'),
  last_four: z.string().default('7857'),
  name: z.string().default('Checking'),
  balances: z
    .strictObject({ ledger: money.nullable().default(null), available: money.nullable().default(null) })
    .default({ ledger: '1000.00', available: '1000.00' }),
  links: z.array(z.enum(['balances', 'transactions'])).default(['balances', 'transactions']),
});
const USUAL_ACCOUNTS: readonly z.input<typeof AccountSchema>[] = [
  {},
  { type: 'credit', subtype: 'credit_card', last_four: '2416', name: 'Platinum Card' },
];
/** Any field of a transaction may be given, also one of a kind that Teller would never send. */
const Transaction = z.looseObject({
  id: z.string().optional(),
  details: z.looseObject({}).optional(),
});
const Schemas = {
  reset: z.strictObject({
    seed: z.int().min(0).default(1),
    now: InstantSchema.optional(),
    webhook_url: z.string().nullable().default(null),
    webhook_secrets: z.array(z.string().min(1)).default([...WEBHOOK_SECRETS]),
    require_certificate: z.boolean().optional(),
    page_rows: z.int().min(1).max(PAGE_ROWS_MAX).optional(),
    world: z.enum(TELLER_WORLDS).default('empty'),
  }),
  enrollment: z.strictObject({
    institution: z
      .strictObject({ id: z.string(), name: z.string() })
      .default({ id: 'security_cu', name: 'Security Credit Union' }),
    accounts: z.array(AccountSchema).optional(),
    access_token: z.string().optional(),
    enrollment_id: z.string().optional(),
    /** Somebody has linked it already: the window makes a new enrollment of its bank. */
    linked: z.boolean().default(false),
  }),
  enrollmentChanges: z.strictObject({
    disconnected: z.string().nullable().optional(),
    revoked: z.boolean().optional(),
    accounts: z.array(AccountSchema).optional(),
  }),
  transactions: z.strictObject({
    put: z.array(Transaction).default([]),
    delete: z.array(z.string()).default([]),
  }),
  restate: z.strictObject({ accounts: z.boolean().default(false) }),
  webhook: z.strictObject({
    enrollment_id: z.string().optional(),
    type: z.string().default('transactions.processed'),
    payload: z.record(z.string(), z.unknown()).optional(),
    at: InstantSchema.optional(),
    tamper: z.enum(TELLER_TAMPERS).default('none'),
    url: z.string().optional(),
    times: z.int().min(1).max(100).default(1),
  }),
};
type Input<Name extends keyof typeof Schemas> = z.input<(typeof Schemas)[Name]>;

export interface MadeEnrollment {
  access_token: string;
  enrollment_id: string;
  user_id: string;
  accounts: TellerAccount[];
}

/** The functions behind `/_control` (contract 35.9.3), for tests in the same process. */
export interface TellerControl {
  reset(options?: Input<'reset'>): void;
  setClock(change: z.input<typeof ClockSchema>): { now: string };
  state(): object;
  /** What the household of the ready-made world downloaded from two of its accounts. */
  files(): readonly BankFile[];
  requests(): readonly LoggedRequest[];
  clearRequests(): void;
  addFault(fault: FaultToAdd): { id: number };
  clearFaults(): void;
  addEnrollment(enrollment?: Input<'enrollment'>): MadeEnrollment;
  changeEnrollment(enrollmentId: string, changes: Input<'enrollmentChanges'>): object;
  changeTransactions(enrollmentId: string, changes: Input<'transactions'>): { transaction_ids: string[] };
  restate(enrollmentId: string, how?: Input<'restate'>): { transaction_ids: string[] };
  /** What is pending is posted, some purchases like those before are made, and the balances move. */
  nextDay(enrollmentId: string): { posted: string[]; pending: string[] };
  sendWebhook(webhook: Input<'webhook'>): Promise<{ deliveries: WebhookDelivery[] }>;
  /** What `sendWebhook` would send. */
  signWebhook(webhook: Input<'webhook'>): SignedWebhook;
}

export function createTellerControl(
  world: TellerWorld,
  { faults, requests }: Pick<SimulatorServer, 'faults' | 'requests'>,
): TellerControl {
  return {
    reset(options = {}) {
      const read = Schemas.reset.parse(options);
      emptyTellerWorld(world, read.seed);
      faults.clear();
      requests.clear();
      world.clock.run();
      if (read.now !== undefined) world.clock.standAt(read.now);
      world.webhookUrl = read.webhook_url;
      world.webhookSecrets = read.webhook_secrets;
      if (read.require_certificate !== undefined) world.requiresCertificate = read.require_certificate;
      if (read.page_rows !== undefined) world.pageRows = read.page_rows;
      fillTellerWorld(world, read.world);
    },
    setClock(change) {
      const read = ClockSchema.parse(change);
      if ('now' in read) world.clock.standAt(read.now);
      else world.clock.advance(read.advance_seconds);
      return { now: world.clock.instant() };
    },
    state: () => stateOf(world, faults.pending()),
    files: () => householdWorld(world.seed, world.clock.today()).files,
    requests: () => requests.list(),
    clearRequests: () => requests.clear(),
    addFault: (fault) => ({ id: faults.add(fault) }),
    clearFaults: () => faults.clear(),
    addEnrollment(wanted = {}) {
      const { accounts, linked, ...rest } = Schemas.enrollment.parse(wanted);
      const usual = USUAL_ACCOUNTS.map((told) => AccountSchema.parse(told));
      const made = makeEnrollment(world, { ...rest, accounts: accounts ?? usual });
      made.isLinked = linked;
      const { access_token, enrollment_id, user_id } = made;
      return { access_token, enrollment_id, user_id, accounts: made.accounts };
    },
    changeEnrollment: (id, changes) => changeEnrollment(world, id, changes),
    changeTransactions: (id, changes) => changeTransactions(world, id, changes),
    restate: (id, how = {}) => restate(world, id, how),
    nextDay: (id) => liveTellerDay(world, getEnrollment(world, id)),
    signWebhook: (webhook) => signedWebhook(world, webhook),
    async sendWebhook(webhook) {
      const { url = world.webhookUrl, times } = Schemas.webhook.parse(webhook);
      if (url === null)
        throw new ControlError('There is no address for webhooks. Give url, or reset with webhook_url.');
      return { deliveries: await deliverWebhook(url, signedWebhook(world, webhook), times) };
    },
  };
}

/** The same functions below `/_control`; bodies are checked by the functions themselves. */
export function tellerControlRoutes(control: TellerControl): ControlRoute[] {
  return [
    { method: 'POST', path: 'reset', status: 204, run: (body) => control.reset(body as never) },
    { method: 'PATCH', path: 'clock', status: 200, run: (body) => control.setClock(body as never) },
    { method: 'GET', path: 'state', status: 200, run: () => control.state() },
    { method: 'GET', path: 'files', status: 200, run: () => ({ files: control.files() }) },
    { method: 'GET', path: 'requests', status: 200, run: () => ({ requests: control.requests() }) },
    { method: 'DELETE', path: 'requests', status: 204, run: () => control.clearRequests() },
    { method: 'POST', path: 'faults', status: 201, run: (body) => control.addFault(FaultSchema.parse(body)) },
    { method: 'DELETE', path: 'faults', status: 204, run: () => control.clearFaults() },
    { method: 'POST', path: 'enrollments', status: 201, run: (body) => control.addEnrollment(body as never) },
    {
      method: 'PATCH',
      path: 'enrollments/{id}',
      status: 200,
      run: (body, id) => control.changeEnrollment(id, body as never),
    },
    {
      method: 'POST',
      path: 'enrollments/{id}/transactions',
      status: 200,
      run: (body, id) => control.changeTransactions(id, body as never),
    },
    {
      method: 'POST',
      path: 'enrollments/{id}/restate',
      status: 200,
      run: (body, id) => control.restate(id, body as never),
    },
    { method: 'POST', path: 'enrollments/{id}/next-day', status: 200, run: (_body, id) => control.nextDay(id) },
    { method: 'POST', path: 'webhooks', status: 200, run: (body) => control.sendWebhook(body as never) },
  ];
}

function changeEnrollment(world: TellerWorld, id: string, wanted: Input<'enrollmentChanges'>): object {
  const enrollment = getEnrollment(world, id);
  const { disconnected, revoked, accounts } = Schemas.enrollmentChanges.parse(wanted);
  if (disconnected !== undefined) enrollment.disconnected = disconnected?.replace(/^disconnected\.?/, '') ?? null;
  if (revoked !== undefined) enrollment.isRevoked = revoked;
  if (accounts) enrollment.accounts = accounts.map((account: AccountToMake) => withId(world, account));
  return describe(enrollment);
}

function changeTransactions(
  world: TellerWorld,
  id: string,
  wanted: Input<'transactions'>,
): { transaction_ids: string[] } {
  const enrollment = getEnrollment(world, id);
  const changes = Schemas.transactions.parse(wanted);
  for (const gone of changes.delete) {
    if (!enrollment.transactions.has(gone)) throw new ControlError(`${id} has no transaction ${gone}.`);
  }
  const put = changes.put.map((told) => filledTransaction(world, enrollment, told));
  for (const row of put) enrollment.transactions.set(row.id, row);
  for (const gone of changes.delete) enrollment.transactions.delete(gone);
  enrollment.version++;
  return { transaction_ids: put.map((row) => row.id) };
}

/** A known transaction with changes, or a new one with only some of its fields given. */
function filledTransaction(
  world: TellerWorld,
  enrollment: Enrollment,
  told: z.output<typeof Transaction>,
): TellerTransaction {
  const known = enrollment.transactions.get(told.id ?? '');
  if (known) return { ...known, ...told, id: known.id, details: { ...known.details, ...told.details } };
  const isPending = told['status'] === 'pending';
  return {
    account_id: enrollment.accounts[0]?.id ?? '',
    amount: '-10.00',
    date: world.clock.today(),
    description: 'A purchase',
    status: 'posted',
    type: 'card_payment',
    running_balance: isPending ? null : '1000.00',
    ...told,
    id: told.id ?? newTransactionId(world),
    details: {
      processing_status: isPending ? 'pending' : 'complete',
      category: 'general',
      counterparty: { name: null, type: null },
      ...told.details,
    },
  };
}

function restate(world: TellerWorld, id: string, wanted: Input<'restate'>): { transaction_ids: string[] } {
  const enrollment = getEnrollment(world, id);
  const newIds = new Map<string, string>();
  if (Schemas.restate.parse(wanted).accounts) {
    enrollment.accounts = enrollment.accounts.map((account) => {
      const renamed = withId(world, { ...account, id: undefined });
      newIds.set(account.id, renamed.id);
      return renamed;
    });
  }
  enrollment.transactions = renumbered(world, [...enrollment.transactions.values()], newIds);
  enrollment.version++;
  return { transaction_ids: [...enrollment.transactions.keys()] };
}

function signedWebhook(world: TellerWorld, wanted: Input<'webhook'>): SignedWebhook {
  const { enrollment_id, type, payload, at, tamper } = Schemas.webhook.parse(wanted);
  const sent = payload ?? (type === 'transactions.processed' ? { transactions: [] } : {});
  const whole = enrollment_id === undefined ? sent : { enrollment_id, ...sent };
  return signTellerWebhook(world, { type, payload: whole }, at ?? world.clock.now(), tamper);
}

function getEnrollment(world: TellerWorld, id: string): Enrollment {
  const enrollment = world.enrollments.get(id);
  if (!enrollment) throw new ControlError(`There is no enrollment ${id}.`, 404);
  return enrollment;
}

function describe({
  transactions: _transactions,
  version: _version,
  isRevoked,
  isLinked,
  ...enrollment
}: Enrollment): object {
  return { ...enrollment, revoked: isRevoked, linked: isLinked };
}

function stateOf(world: TellerWorld, faults: readonly object[]): object {
  return {
    now: world.clock.instant(),
    seed: world.seed,
    webhook_url: world.webhookUrl,
    webhook_secrets: world.webhookSecrets,
    require_certificate: world.requiresCertificate,
    page_rows: world.pageRows,
    enrollments: [...world.enrollments.values()].map((enrollment) => ({
      ...describe(enrollment),
      transactions: [...enrollment.transactions.values()],
    })),
    faults,
  };
}

import type { SimulatedClock } from '../providers/clock.ts';
import { createNumbering, type Numbering } from '../providers/numbering.ts';
import type { Enrollment, TellerAccount, TellerTransaction } from './records.ts';

/** Everything the Teller simulator knows, and its clock. A reset empties it in place. */
export interface TellerWorld {
  clock: SimulatedClock;
  seed: number;
  /** Where webhooks go: Teller has one address for all. */
  webhookUrl: string | null;
  /** Each signs; the first is the newest. */
  webhookSecrets: readonly string[];
  requiresCertificate: boolean;
  /** The most rows of a page, however many are asked for. */
  pageRows: number;
  numbering: Numbering;
  enrollments: Map<string, Enrollment>;
}

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;
export const PAGE_ROWS_MAX = 250;

export const WEBHOOK_SECRETS: readonly string[] = ['whsec_sim_current', 'whsec_sim_previous'];

export function createTellerWorld(clock: SimulatedClock, requiresCertificate: boolean): TellerWorld {
  return { clock, requiresCertificate, ...emptyParts(1) };
}

/** Back to the beginning: the same calls give the same ids again. */
export function emptyTellerWorld(world: TellerWorld, seed: number): void {
  Object.assign(world, emptyParts(seed));
}

function emptyParts(seed: number): Omit<TellerWorld, 'clock' | 'requiresCertificate'> {
  return {
    seed,
    webhookUrl: null,
    webhookSecrets: WEBHOOK_SECRETS,
    pageRows: pageRowsOf(seed),
    numbering: createNumbering(seed),
    enrollments: new Map(),
  };
}

/** From 1 to 250, spread evenly over the seeds. */
function pageRowsOf(seed: number): number {
  return 1 + Math.floor(((seed * GOLDEN_RATIO) % 1) * PAGE_ROWS_MAX);
}

export type AccountToMake = Omit<TellerAccount, 'id'> & { id?: string | undefined };

export interface EnrollmentToMake {
  institution: { id: string; name: string };
  accounts: readonly AccountToMake[];
  access_token?: string | undefined;
  enrollment_id?: string | undefined;
}

export function makeEnrollment(world: TellerWorld, wanted: EnrollmentToMake): Enrollment {
  const { numbering } = world;
  const made: Enrollment = {
    enrollment_id: wanted.enrollment_id ?? `enr_sim_${numbering.next('enrollment')}`,
    access_token: wanted.access_token ?? `test_token_sim_${numbering.next('token')}`,
    user_id: `usr_sim_${numbering.next('user')}`,
    institution: wanted.institution,
    accounts: wanted.accounts.map((account) => withId(world, account)),
    disconnected: null,
    isRevoked: false,
    isLinked: false,
    transactions: new Map(),
    version: 0,
  };
  world.enrollments.set(made.enrollment_id, made);
  return made;
}

export function withId(world: TellerWorld, account: AccountToMake): TellerAccount {
  return { ...account, id: account.id ?? `acc_sim_${world.numbering.next('account')}` };
}

export function newTransactionId(world: TellerWorld): string {
  return `txn_sim_${world.numbering.next('transaction')}`;
}

export function findEnrollmentByToken(world: TellerWorld, token: string): Enrollment | undefined {
  return [...world.enrollments.values()].find(({ access_token }) => access_token === token);
}

/** The same bank linked once more: a new enrollment with new ids and the same rows. */
export function enrollAgain(world: TellerWorld, enrollment: Enrollment): Enrollment {
  const accounts = enrollment.accounts.map((account) => ({ ...structuredClone(account), id: undefined }));
  const copy = makeEnrollment(world, { institution: enrollment.institution, accounts });
  const ids = new Map(enrollment.accounts.map(({ id }, index) => [id, copy.accounts[index]?.id ?? id]));
  copy.transactions = renumbered(world, [...enrollment.transactions.values()], ids);
  return copy;
}

/** The same rows under new ids, and under new ids of their accounts where there are any. */
export function renumbered(
  world: TellerWorld,
  rows: readonly TellerTransaction[],
  accountIds: ReadonlyMap<string, string>,
): Map<string, TellerTransaction> {
  return new Map(
    rows.map((row) => {
      const id = newTransactionId(world);
      return [id, { ...row, id, account_id: accountIds.get(row.account_id) ?? row.account_id }];
    }),
  );
}

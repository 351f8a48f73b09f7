import { DAY_MS, instantAfter, type Instant } from '../../kernel/dates.ts';

/** What a sync knows of an account when its rows are stored (30.10). */
export interface BalanceReport {
  readonly now: Instant;
  /** The external id under which the account is reported. */
  readonly source: string;
  readonly type: string;
  readonly currency: string | null;
  /** As the provider reports it: what is owned or, for credit accounts, owed. */
  readonly currentCents: number | null;
  /** Sum of the posted rows of the current source, including those that a person or agent deleted. */
  readonly postedCents: number;
  /** Sum of its pending rows, likewise. */
  readonly pendingCents: number;
  /** Whether the provider has delivered the account's history. */
  readonly isHistoryComplete: boolean;
}

/** The last report that agreed, or the first one. Stored as JSON. */
export interface BalanceAnchor {
  readonly at: Instant;
  readonly source: string;
  readonly type: string;
  readonly currency: string | null;
  readonly currentCents: number;
  readonly postedCents: number;
  readonly pendingCents: number;
}

/** What is remembered between two syncs. */
export interface BalanceMemory {
  readonly anchor: BalanceAnchor | null;
  /** The first of the syncs in a row that differ. */
  readonly differsSince: Instant | null;
  readonly differsCount: number;
}

export interface BalanceCheck {
  readonly status: 'agrees' | 'differs' | 'not_available';
  /** Reported minus expected, in the sense of the balance; null unless it differs. */
  readonly differenceCents: number | null;
  /** When they last agreed; null unless they differ. */
  readonly since: Instant | null;
  readonly memory: BalanceMemory;
  /** The warning `balance_differs` is due. */
  readonly isWarningDue: boolean;
}

const CHECKED_TYPES = new Set(['depository', 'credit']);
const WARNING_MS = 3 * DAY_MS;
const NEW_ANCHOR_MS = 30 * DAY_MS;

/** Compares the movement of the reported balance with that of the rows. */
export function checkBalance(report: BalanceReport, before: BalanceMemory): BalanceCheck {
  const none = { status: 'not_available', differenceCents: null, since: null, isWarningDue: false } as const;
  if (report.currentCents === null || !CHECKED_TYPES.has(report.type)) return { ...none, memory: before };
  const { anchor } = before;
  const renewed = { anchor: anchorAt(report, report.currentCents), differsSince: null, differsCount: 0 };
  if (!anchor || !isComparable(report, anchor)) {
    return { ...none, memory: report.isHistoryComplete ? renewed : { ...renewed, anchor: null } };
  }
  const differenceCents = differenceOf(report, report.currentCents, anchor);
  if (differenceCents === 0) {
    return { status: 'agrees', differenceCents: null, since: null, memory: renewed, isWarningDue: false };
  }
  const differsSince = before.differsSince ?? report.now;
  const isOlder = (ms: number): boolean => report.now >= instantAfter(differsSince, ms);
  return {
    status: 'differs',
    differenceCents,
    since: anchor.at,
    memory: isOlder(NEW_ANCHOR_MS) ? renewed : { anchor, differsSince, differsCount: before.differsCount + 1 },
    isWarningDue: isOlder(WARNING_MS),
  };
}

function anchorAt(
  { now, source, type, currency, postedCents, pendingCents }: BalanceReport,
  currentCents: number,
): BalanceAnchor {
  return { at: now, source, type, currency, currentCents, postedCents, pendingCents };
}

function isComparable(report: BalanceReport, anchor: BalanceAnchor): boolean {
  return report.source === anchor.source && report.type === anchor.type && report.currency === anchor.currency;
}

/** Some banks count pending rows in the balance and some do not; the closer result counts. */
function differenceOf(report: BalanceReport, currentCents: number, anchor: BalanceAnchor): number {
  const moved = currentCents - anchor.currentCents;
  const posted = report.postedCents - anchor.postedCents;
  const pending = report.pendingCents - anchor.pendingCents;
  // Rows are money out: they raise what is owed and lower what is owned.
  const sense = report.type === 'credit' ? 1 : -1;
  const [one, other] = [moved - sense * posted, moved - sense * (posted + pending)];
  return Math.abs(other) < Math.abs(one) ? other : one;
}

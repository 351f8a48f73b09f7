import type { AccountLinksTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { dayNumber } from '../../kernel/dates.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { countConfirmed, countOverlapping } from './link-evidence.queries.ts';
import { findSpan, planMatches, type Pairing } from '../transaction-matches/index.ts';
import { ROWS_TO_JUDGE } from './link-detail.ts';

/** How many of the dependent's rows within the primary's history would match, at the largest tolerance. */
export interface Resemblance {
  overlapping: number;
  found: number;
}

interface Candidates {
  primaryId: string;
  dependentId: string;
  /** The link, if it exists already: its confirmed pairs count as matching. */
  linkId: string | null;
}

export async function resemblanceOf(tx: ReadTx, candidates: Candidates, pairing: Pairing): Promise<Resemblance> {
  const { primaryId, dependentId, linkId } = candidates;
  const span = await findSpan(tx, primaryId);
  if (!span) return { overlapping: 0, found: 0 };
  const [first, last] = [dayNumber(span.from), dayNumber(span.to)];
  const pairs = pairing.pairsAt(LIMITS.matchToleranceDays);
  const within = pairs.filter(({ dependent: { day } }) => day >= first && day <= last);
  const confirmed = linkId === null ? 0 : await countConfirmed(tx, linkId);
  return { overlapping: await countOverlapping(tx, dependentId, span), found: within.length + confirmed };
}

/** Whether the two accounts show different transactions: fewer than one in ten of the rows would match (50.1.2). */
export function isUnlike({ overlapping, found }: Resemblance): boolean {
  return overlapping >= ROWS_TO_JUDGE && found * 10 < overlapping;
}

/** A link takes every row of an account out of all totals, so accounts that show different things are not linked. */
export function notAlikeError({ overlapping, found }: Resemblance): AppError {
  return new AppError(
    'CONFLICT',
    `Of ${overlapping} transactions of the dependent account within the dates that the primary account covers, ` +
      `${found === 0 ? 'none' : `only ${found}`} would match. The accounts do not look like copies of each other, so ` +
      'they were not linked: nothing was changed, and all transactions still count. A person can link them anyway on ' +
      'the account links page.',
  );
}

/** @throws CONFLICT if a link that is to be enabled joins two accounts that show different transactions */
export async function refuseUnlike(tx: ReadTx, link: AccountLinksTable): Promise<void> {
  const { id: linkId, primary_account_id: primaryId, dependent_account_id: dependentId } = link;
  const pairing = await planMatches(tx, { primaryId, dependentId });
  const resemblance = await resemblanceOf(tx, { primaryId, dependentId, linkId }, pairing);
  if (isUnlike(resemblance)) throw notAlikeError(resemblance);
}

import type { z } from 'zod';

import type { InputOf } from '../../contract/operation.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { unknownId, validationError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { findAccount } from '../accounts/index.ts';
import { handleWrite, Reply } from '../handler.ts';
import { countMatches, matchedOn, planMatches, type Pairing } from '../transaction-matches/index.ts';
import { createAccountLink as operation, type AccountLinkDryRun } from './account-links.contract.ts';
import { linkAccounts, refuseClash, type NewLink } from './link-accounts.ts';
import { detailOf } from './link-detail.ts';
import { isUnlike, resemblanceOf, notAlikeError } from './resemblance.ts';

type Body = InputOf<typeof operation>['body'];
type DryRun = z.input<typeof AccountLinkDryRun>;

export const createAccountLink = handleWrite(operation, 'account_link.create', async ({ tx }, { body }) => {
  const wanted = await readLink(tx, body);
  const { primaryId, dependentId, isEnabled } = wanted;
  await refuseClash(tx, primaryId, dependentId);
  if (body.dry_run) return new Reply(await rehearse(tx, wanted), { status: 200 });
  const pairing = isEnabled ? await planMatches(tx, wanted) : undefined;
  if (pairing && !body.force) {
    const resemblance = await resemblanceOf(tx, { primaryId, dependentId, linkId: null }, pairing);
    if (isUnlike(resemblance)) throw notAlikeError(resemblance);
  }
  const link = await linkAccounts(tx, wanted, pairing);
  const detail = await detailOf(tx, link);
  tx.journal.summarise(`Linked ${detail.dependent_account_name} to ${detail.primary_account_name}`);
  const answer = { ...detail, reconciliation: await countMatches(tx, link) };
  return new Reply(answer, { headers: { location: `/api/v1/account-links/${link.id}` } });
});

/** @throws VALIDATION_ERROR, INVALID_PARAMETER, in the order of the contract */
async function readLink(tx: ReadTx, body: Body): Promise<NewLink> {
  const { dependent_account_id: dependent, mirror_account_id: mirror } = body;
  const named = dependent ?? mirror;
  if (named === undefined) {
    throw validationError(
      'dependent_account_id',
      'dependent_account_id: is required. It is the account that shows copies.',
    );
  }
  const primaryId = await accountId(tx, 'primary_account_id', body.primary_account_id);
  const dependentId = await accountId(
    tx,
    dependent === undefined ? 'mirror_account_id' : 'dependent_account_id',
    named,
  );
  if (mirror !== undefined && (await accountId(tx, 'mirror_account_id', mirror)) !== dependentId) {
    const message = 'mirror_account_id: must be the same account as dependent_account_id; the two are one field.';
    throw validationError('mirror_account_id', message);
  }
  if (primaryId === dependentId) {
    const message = 'dependent_account_id: must not be the primary account. A link needs two accounts.';
    throw validationError('dependent_account_id', message);
  }
  const { match_tolerance_days: toleranceDays, attribute: isAttributing, enabled: isEnabled } = body;
  return { primaryId, dependentId, toleranceDays, isAttributing, isEnabled };
}

/** @throws INVALID_PARAMETER */
async function accountId(tx: ReadTx, field: string, anyId: string): Promise<string> {
  const account = await findAccount(tx, anyId);
  if (!account) throw unknownId(field, 'account', anyId);
  return account.id;
}

/** Tolerances that a dry run compares. */
const COMPARED_DAYS = [0, 1, 2, 3, 5] as const;

/** What the link would do: creates it, reads the outcome, and rolls everything back. */
async function rehearse(tx: WriteTx, wanted: NewLink): Promise<DryRun> {
  const { primaryId, dependentId, isEnabled } = wanted;
  const pairing = await planMatches(tx, wanted);
  const resemblance = await resemblanceOf(tx, { primaryId, dependentId, linkId: null }, pairing);
  const { reconciliation, warnings, unmatched_dependent_totals } = await tx.rehearse(async () => {
    const link = await linkAccounts(tx, wanted);
    return { ...(await detailOf(tx, link)), reconciliation: await countMatches(tx, link) };
  });
  return {
    dry_run: true,
    reconciliation,
    warnings,
    unmatched_dependent_totals,
    tolerances: COMPARED_DAYS.map((days) => ({
      match_tolerance_days: days,
      matched_count: pairing.pairsAt(days).length,
    })),
    refused: isEnabled && isUnlike(resemblance),
    sample_matches: isEnabled ? samplesOf(pairing, wanted.toleranceDays) : [],
  };
}

function samplesOf(pairing: Pairing, toleranceDays: number): DryRun['sample_matches'] {
  return pairing
    .pairsAt(toleranceDays)
    .slice(0, LIMITS.sampleMatches)
    .map((pair) => ({
      primary_transaction_id: pair.primary.id,
      dependent_transaction_id: pair.dependent.id,
      matched_on: matchedOn(pair),
      date_distance_days: Math.abs(pair.primary.day - pair.dependent.day),
    }));
}

import type { z } from 'zod';

import type { AccountLinksTable } from '../../db/schema.ts';
import type { AccountLink } from './account-links.contract.ts';
import type { MatchTally } from './account-links.queries.ts';

export type LinkRecord = z.input<typeof AccountLink>;

/** The list form of a link (50.1.1). */
export function toLink(row: AccountLinksTable, tally: MatchTally): LinkRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    primary_account_id: row.primary_account_id,
    mirror_account_id: row.dependent_account_id,
    kind: 'dependent',
    confidence: confidenceOf(tally),
    created_at: row.created_at,
  };
}

function confidenceOf({ auto, confirmed, rejected }: MatchTally): LinkRecord['confidence'] {
  if (auto > 0) return 'auto';
  if (confirmed > 0) return 'confirmed';
  return rejected > 0 ? 'rejected' : 'auto';
}

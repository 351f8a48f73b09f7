import type { ReadTx } from '../../db/unit-of-work.ts';
import { groupRows, matchRows, type Pair, type RowGroup } from '../../engines/links/match-rows.ts';
import {
  selectEnabledLinks,
  selectOpenRows,
  selectRejected,
  selectTexts,
  type Amounts,
  type Sides,
} from './open-rows.queries.ts';

/** Everything that decides what a link pairs, but for its tolerance. Reads nothing more, so tolerances can be compared. */
export interface Pairing {
  pairsAt(toleranceDays: number): Pair[];
}

export async function openPairing(
  tx: ReadTx,
  sides: Sides,
  linkId: string | null,
  amounts: Amounts = null,
): Promise<Pairing> {
  const dependent = await selectOpenRows(tx, sides, 'dependent', amounts);
  const primary = dependent.length === 0 ? [] : await selectOpenRows(tx, sides, 'primary', amounts);
  const groups = groupRows(primary, dependent);
  const texts = await selectTexts(tx, textsOf(groups));
  const rejected = linkId === null ? new Map<string, Set<string>>() : await selectRejected(tx, linkId);
  return { pairsAt: (toleranceDays) => matchRows(groups, { toleranceDays, texts, rejected }) };
}

function textsOf(groups: readonly RowGroup[]): Set<number> {
  const ids = new Set<number>();
  for (const { primary, dependent } of groups) {
    for (const rows of [primary, dependent]) {
      for (const { name, merchant } of rows) {
        ids.add(name);
        if (merchant !== null) ids.add(merchant);
      }
    }
  }
  return ids;
}

/** What a link of these accounts would pair if it were made now. Writes nothing. */
export async function planMatches(
  tx: ReadTx,
  { primaryId, dependentId }: { primaryId: string; dependentId: string },
): Promise<Pairing> {
  const olderIds = (await selectEnabledLinks(tx, [primaryId, dependentId])).map(({ id }) => id);
  return openPairing(tx, { primaryId, dependentId, olderIds }, null);
}

/** The columns of two rows that agree, as the record of their match names them. */
export function matchedOn({ agreesIn }: Pick<Pair, 'agreesIn'>): string[] {
  return ['date', 'amount', ...(agreesIn === null ? [] : [agreesIn])];
}

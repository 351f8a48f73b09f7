import type { InputOf } from '../../contract/operation.ts';
import { handleWrite, type WriteContext } from '../handler.ts';
import * as contract from './account-links.contract.ts';
import { getLink } from './account-links.entity.ts';
import { changeLink } from './change-link.ts';
import { detailOf, namesOf } from './link-detail.ts';
import { refuseUnlike } from './resemblance.ts';

type Input = InputOf<typeof contract.updateAccountLink>;
type Detail = Awaited<ReturnType<typeof detailOf>>;

export const updateAccountLink = handleWrite(contract.updateAccountLink, 'account_link.update', change);

/** PUT and PATCH of a link: absent fields stay, each change has its effects (50.1.3). */
export async function change({ tx }: WriteContext, { params, body }: Input): Promise<Detail> {
  const link = await getLink(tx, params.id);
  const { match_tolerance_days, attribute, enabled } = body;
  if (enabled === true && link.is_enabled === 0 && !body.force) await refuseUnlike(tx, link);
  const changed = await changeLink(tx, link, {
    match_tolerance_days,
    is_attributing: flagOf(attribute),
    is_enabled: flagOf(enabled),
  });
  tx.journal.summarise(`Changed the link of ${await namesOf(tx, link)}`);
  return detailOf(tx, changed);
}

function flagOf(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : value ? 1 : 0;
}

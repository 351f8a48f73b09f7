import { normalisedName } from '../text/cell-text.ts';
import { APP_PROFILES } from './profiles-apps.ts';
import { matchBuiltIn } from './profile-match.ts';

/** The columns of an export of Homeledger that name a row of a household; −1 for one that it lacks. */
export interface OwnColumns {
  readonly id: number;
  readonly accountId: number;
}

/** null for any other file. */
export function ownColumns(headers: readonly string[]): OwnColumns | null {
  const own = APP_PROFILES.filter(({ slug }) => slug === 'homeledger');
  if (!matchBuiltIn(headers, own, 'strong')) return null;
  const columnOf = (name: string): number => headers.findIndex((header) => normalisedName(header) === name);
  return { id: columnOf('id'), accountId: columnOf('account_id') };
}

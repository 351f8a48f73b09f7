import { BUILT_IN_PROFILES } from '../../engines/imports/built-in-profiles.ts';
import { compareCodePoints } from '../../kernel/fold.ts';
import { invalidParameter } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { listImportProfiles as operation } from './import-profiles.contract.ts';
import { findAccountId, selectProfiles } from './import-profiles.queries.ts';
import { toBuiltIn, toProfile } from './import-profiles.table.ts';

export const listImportProfiles = handleRead(operation, async ({ tx }, { query }) => {
  const { built_in: builtIn, header_signature: headerSignature, account_id: anyId } = query;
  const accountId = anyId === undefined ? undefined : await findAccountId(tx, anyId);
  if (anyId !== undefined && accountId === undefined) {
    throw invalidParameter('account_id', 'account_id: no account has this id.');
  }
  const filter = {
    ...(headerSignature === undefined ? {} : { headerSignature }),
    ...(accountId === undefined ? {} : { accountId }),
  };
  const stored = builtIn === true ? [] : (await selectProfiles(tx, filter)).map(toProfile);
  const isFiltered = Object.keys(filter).length > 0;
  if (builtIn === false || isFiltered) return stored;
  const others = BUILT_IN_PROFILES.map(toBuiltIn).sort((a, b) => compareCodePoints(a.name, b.name));
  return [...stored, ...others];
});

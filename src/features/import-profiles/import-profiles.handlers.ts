import { BUILT_IN_PROFILES } from '../../engines/imports/profiles/built-in-profiles.ts';
import { notFound, unknownId } from '../../kernel/errors.ts';
import { compareCodePoints } from '../../kernel/fold.ts';
import { handleRead, handleWrite } from '../handler.ts';
import * as contract from './import-profiles.contract.ts';
import { importProfiles, toBuiltIn, toProfile } from './import-profiles.entity.ts';
import { findAccountId, findProfile, selectProfiles } from './import-profiles.queries.ts';
import { builtInConflict, isBuiltInSlug } from './profile-slug.ts';

export const listImportProfiles = handleRead(contract.listImportProfiles, async ({ tx }, { query }) => {
  const { built_in: builtIn, header_signature: headerSignature, account_id: anyId } = query;
  const accountId = anyId === undefined ? undefined : await findAccountId(tx, anyId);
  if (anyId !== undefined && accountId === undefined) throw unknownId('account_id', 'account', anyId);
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

export const getImportProfile = handleRead(contract.getImportProfile, async ({ tx }, { params }) => {
  const row = await findProfile(tx, params.id);
  if (row) return toProfile(row);
  const builtIn = BUILT_IN_PROFILES.find(({ slug }) => slug === params.id);
  if (!builtIn) throw notFound('import profile');
  return toBuiltIn(builtIn);
});

export const deleteImportProfile = handleWrite(
  contract.deleteImportProfile,
  'import_profile.delete',
  async ({ tx }, { params }) => {
    const row = await findProfile(tx, params.id);
    if (!row) throw isBuiltInSlug(params.id) ? builtInConflict() : notFound('import profile');
    await importProfiles.remove(tx, row);
    tx.journal.summarise(`Deleted the import profile ${row.name}`);
    return null;
  },
);

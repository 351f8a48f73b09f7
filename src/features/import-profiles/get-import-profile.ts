import { BUILT_IN_PROFILES } from '../../engines/imports/built-in-profiles.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { getImportProfile as operation } from './import-profiles.contract.ts';
import { findProfile } from './import-profiles.queries.ts';
import { toBuiltIn, toProfile } from './import-profiles.table.ts';

export const getImportProfile = handleRead(operation, async ({ tx }, { params }) => {
  const row = await findProfile(tx, params.id);
  if (row) return toProfile(row);
  const builtIn = BUILT_IN_PROFILES.find(({ slug }) => slug === params.id);
  if (!builtIn) throw notFound('The import profile was');
  return toBuiltIn(builtIn);
});

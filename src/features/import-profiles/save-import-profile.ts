import type { InputOf } from '../../contract/operation.ts';
import { shortIdFor } from '../../db/short-ids.ts';
import type { ImportProfilesTable } from '../../db/schema.ts';
import { headerSignature } from '../../engines/imports/profile-match.ts';
import { difference, type WriteTx } from '../../journal/write.ts';
import { AppError, invalidParameter, notFound, validationError } from '../../kernel/errors.ts';
import { handleWrite, Reply } from '../handler.ts';
import { checkSettings } from './check-settings.ts';
import { saveImportProfile as operation } from './import-profiles.contract.ts';
import { findAccountId, findProfile, findProfileOf, insertProfile, updateProfile } from './import-profiles.queries.ts';
import { toProfile, toProfileFields } from './import-profiles.table.ts';
import { makeRoom } from './remember-profile.ts';
import { builtInConflict, isBuiltInSlug, isFreeForm, nameOfSlug } from './profile-slug.ts';

type Wanted = InputOf<typeof operation>['body'];
type Content = Pick<
  ImportProfilesTable,
  'name' | 'institution_name' | 'header_signature' | 'headers' | 'account_id' | 'settings'
>;

export const saveImportProfile = handleWrite(operation, 'import_profile.save', async ({ tx }, { params, body }) => {
  const known = await findProfile(tx, params.id);
  if (!known && isBuiltInSlug(params.id)) throw builtInConflict();
  if (!known && !isFreeForm(params.id)) throw notFound('The import profile was');
  const content = await contentOf(tx, body, known, known?.slug ?? params.id);
  const twin = await findProfileOf(tx, content.header_signature ?? '', content.account_id);
  if (twin && twin.id !== known?.id) {
    throw new AppError(
      'CONFLICT',
      `The profile ${twin.slug} is for the same header and account. Change that one, or delete it first.`,
    );
  }
  if (!known) return new Reply(toProfile(await create(tx, params.id, content)), { status: 201 });
  const row = { ...known, ...content };
  const changed = difference(toProfileFields(known), toProfileFields(row));
  if (!changed) return toProfile(known);
  await updateProfile(tx, known.id, { ...content, updated_at: tx.now });
  tx.journal.record({
    entityType: 'import_profile',
    entityId: known.id,
    entityShortId: known.short_id,
    operation: 'update',
    ...changed,
    revertible: true,
  });
  tx.journal.summarise(`Changed the import profile ${content.name}`);
  return toProfile({ ...row, updated_at: tx.now });
});

async function contentOf(
  tx: WriteTx,
  body: Wanted,
  known: ImportProfilesTable | undefined,
  slug: string,
): Promise<Content> {
  const headers = body.headers ?? (known ? (JSON.parse(known.headers) as string[]) : undefined);
  if (!headers) throw validationError('headers', 'Send the column names of the files that the profile is for.');
  checkSettings(body.settings, headers);
  const accountId = body.account_id === null ? null : await findAccountId(tx, body.account_id);
  if (accountId === undefined) throw invalidParameter('account_id', 'account_id: there is no account with this id.');
  return {
    name: body.name ?? nameOfSlug(slug),
    institution_name: body.institution_name,
    header_signature: headerSignature(body.settings.has_header === false ? null : headers, headers.length),
    headers: JSON.stringify(headers),
    account_id: accountId,
    settings: JSON.stringify(body.settings),
  };
}

async function create(tx: WriteTx, slug: string, content: Content): Promise<ImportProfilesTable> {
  await makeRoom(tx);
  const row: ImportProfilesTable = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'import_profiles'),
    slug,
    format: 'csv',
    ...content,
    use_count: 0,
    last_used_at: null,
    import_id: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await insertProfile(tx, row);
  tx.journal.record({
    entityType: 'import_profile',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after: toProfileFields(row),
    revertible: true,
  });
  tx.journal.summarise(`Created the import profile ${row.name}`);
  return row;
}

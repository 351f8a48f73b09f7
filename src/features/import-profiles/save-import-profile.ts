import type { z } from 'zod';

import type { InputOf } from '../../contract/operation.ts';
import type { ImportProfilesTable } from '../../db/schema.ts';
import { findColumn, shownColumn, unknownField } from '../../engines/imports/columns/column-choice.ts';
import { compileDateFormat } from '../../engines/imports/cells/date-format.ts';
import { headerSignature } from '../../engines/imports/profiles/profile-match.ts';
import { FIELDS } from '../../engines/imports/lexicon/synonyms.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError, notFound, validationError, unknownId } from '../../kernel/errors.ts';
import { handleWrite, Reply } from '../handler.ts';
import { saveImportProfile as operation, type ProfileSettings } from './import-profiles.contract.ts';
import { importProfiles, toProfile } from './import-profiles.entity.ts';
import { findAccountId, findProfile, findProfileOf } from './import-profiles.queries.ts';
import { builtInConflict, isBuiltInSlug, isFreeForm, nameOfSlug } from './profile-slug.ts';
import { makeRoom } from './remember-profile.ts';

type Wanted = InputOf<typeof operation>['body'];
type Content = Pick<
  ImportProfilesTable,
  'name' | 'institution_name' | 'header_signature' | 'headers' | 'account_id' | 'settings'
>;

export const saveImportProfile = handleWrite(operation, 'import_profile.save', async ({ tx }, { params, body }) => {
  const known = await findProfile(tx, params.id);
  if (!known && isBuiltInSlug(params.id)) throw builtInConflict();
  if (!known && !isFreeForm(params.id)) throw notFound('import profile');
  const content = await contentOf(tx, body, known, known?.slug ?? params.id);
  const twin = await findProfileOf(tx, content.header_signature ?? '', content.account_id);
  if (twin && twin.id !== known?.id) {
    throw new AppError(
      'CONFLICT',
      `The profile ${twin.slug} has the same header and account. Change that one, or delete it first.`,
    );
  }
  if (!known) return new Reply(toProfile(await create(tx, params.id, content)), { status: 201 });
  const changed = await importProfiles.change(tx, known, content);
  tx.journal.summarise(`Changed the import profile ${content.name}`);
  return toProfile(changed);
});

async function contentOf(
  tx: WriteTx,
  body: Wanted,
  known: ImportProfilesTable | undefined,
  slug: string,
): Promise<Content> {
  const headers = body.headers ?? (known ? (JSON.parse(known.headers) as string[]) : undefined);
  if (!headers)
    throw validationError('headers', 'headers: send the column names of the files that this profile is for.');
  checkSettings(body.settings, headers);
  const accountId = body.account_id === null ? null : await findAccountId(tx, body.account_id);
  if (accountId === undefined) throw unknownId('account_id', 'account', body.account_id ?? '');
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
  const row = await importProfiles.create(tx, {
    slug,
    format: 'csv',
    ...content,
    use_count: 0,
    last_used_at: null,
    import_id: null,
  });
  tx.journal.summarise(`Created the import profile ${row.name}`);
  return row;
}

const ANY_YEAR = 2_100;

/** Checks what the schema cannot: that fields exist, the header has the columns, and the date format is readable. */
function checkSettings(settings: z.output<typeof ProfileSettings>, headers: readonly string[]): void {
  const { length: width } = headers;
  const numbered = settings.has_header === false ? headers.map((_name, index) => `column_${index + 1}`) : [];
  const isColumn = (column: number | string): boolean =>
    [headers, numbered].some((names) => findColumn(column, { headers: names, width }) !== undefined);
  for (const [field, choice] of Object.entries(settings.column_mapping ?? {})) {
    const path = `settings.column_mapping.${field}`;
    if (!FIELDS.some((known) => known === field)) throw unknownField('settings.column_mapping', field);
    for (const column of [choice].flat()) {
      if (column !== null && !isColumn(column)) {
        throw validationError(path, `The header has no column ${shownColumn(column)}.`);
      }
    }
  }
  if (settings.date_format === undefined) return;
  try {
    compileDateFormat(settings.date_format, ANY_YEAR);
  } catch (error) {
    if (error instanceof AppError)
      throw validationError('settings.date_format', error.extra.details?.[0]?.message ?? error.message);
    throw error;
  }
}

import { decodeCursor, encodeCursor, fingerprintOf, invalidCursor } from '../../kernel/cursor.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { findImport, selectImportRows, type RowPlace } from './imports.queries.ts';
import { listImportRows as operation } from './imports.contract.ts';
import { toImportRow } from './row-record.ts';

export const listImportRows = handleRead(operation, async ({ tx }, { params, query }) => {
  const found = await findImport(tx, params.id);
  if (!found) throw notFound('The import was');
  const { limit, cursor, ...filters } = query;
  const fingerprint = fingerprintOf({ import: found.id, ...filters });
  const after = cursor === undefined ? null : placeOf(cursor, fingerprint);
  const rows = await selectImportRows(tx, found.id, filters, after, limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return {
    rows: shown.map(toImportRow),
    next_cursor: hasMore && last ? encodeCursor(fingerprint, { key: String(last.line), id: String(last.part) }) : '',
    has_more: hasMore,
    limit,
  };
});

function placeOf(cursor: string, fingerprint: string): RowPlace {
  const { key, id } = decodeCursor(cursor, fingerprint);
  const [line, part] = [Number(key), Number(id)];
  if (!Number.isSafeInteger(line) || !Number.isSafeInteger(part)) {
    throw invalidCursor('The cursor is malformed. Start again from the first page.');
  }
  return { line, part };
}

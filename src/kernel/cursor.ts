import { sha256Hex } from './crypto.ts';
import { AppError } from './errors.ts';

/** What a cursor contains: the sort key and id of the last row shown, and a digest of its filters. */
export interface Position {
  key: string;
  id: string;
}

/** A short digest of everything that must stay the same from page to page. Key order does not matter. */
export function fingerprintOf(filters: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256Hex(JSON.stringify(entries)).slice(0, 16);
}

export function encodeCursor(fingerprint: string, position: Position): string {
  return Buffer.from(JSON.stringify([fingerprint, position.key, position.id])).toString('base64url');
}

/** What says where a page ends and the next one begins. */
interface PageEnd {
  /** Empty on the last page. */
  next_cursor: string;
  has_more: boolean;
  limit: number;
}

/** Cuts a page from one row more than it may have. The next page begins after its last row. */
export function cutPage<R>(
  rows: readonly R[],
  limit: number,
  fingerprint: string,
  positionOf: (last: R) => Position,
): { shown: R[]; end: PageEnd } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  const next = hasMore && last !== undefined ? encodeCursor(fingerprint, positionOf(last)) : '';
  return { shown, end: { next_cursor: next, has_more: hasMore, limit } };
}

/** Where the page after a cursor begins; null for the first page. @throws INVALID_CURSOR, including if its row is gone */
export async function positionAfter(
  cursor: string | undefined,
  fingerprint: string,
  findRow: (id: string) => Promise<unknown>,
): Promise<Position | null> {
  if (cursor === undefined) return null;
  const position = decodeCursor(cursor, fingerprint);
  if (!(await findRow(position.id))) {
    throw invalidCursor('The row that the cursor points to no longer exists. Start again from the first page.');
  }
  return position;
}

/** @throws INVALID_CURSOR when malformed or made for other filters. */
export function decodeCursor(cursor: string, fingerprint: string): Position {
  const parts = parse(cursor);
  if (!parts) throw malformed();
  if (parts[0] !== fingerprint) {
    throw invalidCursor('The cursor was made for other filters. Keep the filters or start from the first page.');
  }
  return { key: parts[1], id: parts[2] };
}

/** The number that is the key or id of a position. @throws INVALID_CURSOR if it is not one of ours */
export function wholeNumber(part: string): number {
  if (!/^-?\d{1,15}$/.test(part)) throw malformed();
  return Number(part);
}

function malformed(): AppError {
  return invalidCursor('The cursor is malformed. Start again from the first page.');
}

export function invalidCursor(message: string): AppError {
  return new AppError('INVALID_CURSOR', message);
}

function parse(cursor: string): [string, string, string] | undefined {
  if (!/^[A-Za-z0-9_-]{1,2048}$/.test(cursor)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(value) || value.length !== 3) return undefined;
    return value.every(isStorable) ? (value as [string, string, string]) : undefined;
  } catch {
    return undefined;
  }
}

/** None of our cursors contains other texts, and PostgreSQL does not accept them. */
function isStorable(part: unknown): boolean {
  return typeof part === 'string' && !part.includes('\0') && part.isWellFormed();
}

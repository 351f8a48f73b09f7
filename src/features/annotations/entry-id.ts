import { createHash } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The ids of a timeline entry, derived from what it tells about, so that they are the same on every reading: a UUID
 * with the time of its change set, and eight characters of base62.
 */
export function entryIds(changeSetId: string, about: string): { id: string; short_id: string } {
  const digest = createHash('sha256').update(`${changeSetId}|${about}`).digest();
  const hex = digest.toString('hex');
  const variant = ((Number.parseInt(hex.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  const id = `${changeSetId.slice(0, 13)}-7${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
  let rest = digest.readBigUInt64BE(16);
  let shortId = '';
  while (shortId.length < 8) {
    shortId += BASE62[Number(rest % 62n)] as string;
    rest /= 62n;
  }
  return { id, short_id: shortId };
}

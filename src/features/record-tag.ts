import { createHash } from 'node:crypto';

import type { AnyOperation } from '../contract/operation.ts';

/** The ETag of an answer: of its bytes, or of what the record itself says if the operation names fields beside it. */
export function recordTag({ beside = [] }: Pick<AnyOperation, 'beside'>, body: string | Buffer): string {
  const content = beside.length === 0 ? body : contentOf(String(body), beside);
  return `"${createHash('sha1').update(content).digest('base64url')}"`;
}

function contentOf(body: string, beside: readonly string[]): string {
  const fields = Object.entries(JSON.parse(body) as object);
  return JSON.stringify(fields.filter(([name]) => !beside.includes(name)));
}

/** Whether a header of conditions names the tag. A proxy that compresses makes tags weak, which changes nothing here. */
export function namesTag(header: string | readonly string[], tag: string): boolean {
  const sent = [header].flat().join(',').split(',');
  return sent.some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}

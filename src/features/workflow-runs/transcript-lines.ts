import type { ReadTx } from '../../db/unit-of-work.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { linesAfter, type LineRow, type RunRow } from './workflow-runs.queries.ts';

/** The lines of a transcript after this one, in pieces: all of them can be 20 MiB. */
export async function* transcriptOf(tx: ReadTx, { id }: Pick<RunRow, 'id'>, after: number): AsyncGenerator<string> {
  let piece = '';
  for await (const line of linesAfter(tx, id, after)) {
    piece += textOf(line);
    if (piece.length < LIMITS.transcriptPieceChars) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** `data` has been stored as JSON. */
function textOf({ seq, type, ts, data }: LineRow): string {
  return `{"seq":${seq},"type":${JSON.stringify(type)},"ts":"${ts}","data":${data}}\n`;
}

import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';

export interface TextLine {
  readonly text: string;
  /** Physical line, 1-based, as a text editor counts. */
  readonly line: number;
}

/** The physical lines of a text that comes in pieces; any of CR LF, LF and CR ends a line. */
export function* textLines(chunks: Iterable<string>): Generator<TextLine, void, undefined> {
  let rest = '';
  let line = 1;
  let endsWithReturn = false;
  for (const chunk of chunks) {
    let from = 0;
    if (endsWithReturn && chunk.charCodeAt(0) === 10) from = 1;
    if (chunk.length > 0) endsWithReturn = false;
    for (let at = from; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (code !== 10 && code !== 13) continue;
      refuseLong(rest.length + at - from, line);
      yield { text: rest + chunk.slice(from, at), line };
      line++;
      rest = '';
      if (code === 13 && chunk.charCodeAt(at + 1) === 10) at++;
      else if (code === 13 && at + 1 === chunk.length) endsWithReturn = true;
      from = at + 1;
    }
    rest += chunk.slice(from);
    refuseLong(rest.length, line);
  }
  if (rest !== '') yield { text: rest, line };
}

function refuseLong(length: number, line: number): void {
  if (length > LIMITS.importFieldBytes)
    throw new AppError('INVALID_FILE', `Line ${line} is longer than 64 KiB. Download the file from the bank again.`);
}

import { AppError } from '../../../../kernel/errors.ts';
import { LIMITS } from '../../../../kernel/limits.ts';
import type { Detection, ReadContext, ReadOptions } from '../../analysis.ts';
import { isSpace } from '../../text/cell-text.ts';
import { COLON, CR, LF } from '../../text/char-codes.ts';
import { decodedChunks, detectEncoding, fromSpool } from '../../bytes/encoding.ts';
import { Mt940Statements } from './mt940-statements.ts';
import { refuseTooLarge } from '../../size-limits.ts';
import { refuseTableOptions } from '../statement.ts';
import type { StatementFile } from '../statement.ts';

const DATES: Detection = { value: 'YYMMDD', confidence: 'certain', evidence: ['content'], candidates: [] };
const TAG = /^:(13D?|2[015]|25P|28C?|34F|6[024][FM]?|6[15]|86|90[CD]|940|NS):/;

/** The rest of a time of day that a line break cut after the hours. It looks like the tag :13: and so on. */
const BROKEN_TIME = /^:[0-5]\d:[0-5]\d(?!\d)/;
const MAX_TAG_CHARS = 6;
const CHUNK_BYTES = 65_536;

/**
 * Reads an MT940 file (36.14.4): any number of messages, with or without the SWIFT envelope around them.
 * @throws INVALID_FILE for an incomplete statement, NOT_TEXT, PAYLOAD_TOO_LARGE, VALIDATION_ERROR
 */
export function readMt940(bytes: Uint8Array, options: ReadOptions, context: ReadContext): StatementFile {
  refuseTableOptions('mt940', options);
  refuseTooLarge(bytes);
  const { source, confidence, evidence, candidates } = detectEncoding(bytes, options.encoding);
  const statements = new Mt940Statements(Number(context.today.slice(0, 4)) + 1, context.store);
  for (const { text: raw, line } of textLines(decodedChunks(fromSpool(source, context), CHUNK_BYTES))) {
    const content = withoutMarks(openEnvelope(raw, statements));
    if (isEnd(content)) statements.endMessage(content);
    else {
      const isTime = statements.isInsideEntry && BROKEN_TIME.test(content.slice(0, MAX_TAG_CHARS + 1));
      const tag = isTime ? null : TAG.exec(content.slice(0, MAX_TAG_CHARS));
      if (tag) statements.tag(tag[1] as string, content.slice(tag[0].length), line);
      else if (content !== raw && content.trim() === '') statements.beginMessage();
      else statements.continueTag(content);
    }
  }
  return {
    format: 'mt940',
    encoding: { value: source.label, confidence, evidence, candidates },
    date_format: DATES,
    bank_id_namespace: 'mt940:bankref',
    statements: statements.finish(),
    warnings: [],
  };
}

/** A line without the spaces and transmission marks that some programs put before a tag. */
function withoutMarks(line: string): string {
  let at = 0;
  while (isSpace(line.charCodeAt(at))) at++;
  return at > 0 && line.charCodeAt(at) === COLON ? line.slice(at) : line;
}

/**
 * The content of a line without the SWIFT envelope `{1:…}{4:` … `-}`. Tells the statements what the envelope says: the
 * BIC of the sender, and whether the message is an interim report.
 */
function openEnvelope(line: string, statements: Mt940Statements): string {
  const start = line.indexOf('{');
  if (start < 0 || start > 1) return line;
  const from = line.indexOf('{4:', start);
  if (from < 0 && !line.startsWith('{1:', start)) return line;
  const sender = /\{1:[A-Z]\d{2}([A-Z0-9]{12})/.exec(line.slice(start, start + 40))?.[1];
  if (sender !== undefined) statements.sender = bicOf(sender);
  statements.isInterim = /\{2:[IO]942/.test(line.slice(start, start + 120));
  return from < 0 ? '' : line.slice(from + 3);
}

/** The BIC in a logical terminal address, which has the letter of the terminal as its ninth character. */
function bicOf(terminal: string): string {
  const branch = terminal.slice(9);
  return branch === 'XXX' ? terminal.slice(0, 8) : terminal.slice(0, 8) + branch;
}

/** Whether a line ends a message: `-` alone, or `-}` and what follows it. */
function isEnd(line: string): boolean {
  if (!line.startsWith('-')) return false;
  // eslint-disable-next-line no-control-regex
  const text = line.replaceAll(/[\s\u0000-\u0020]/g, '');
  return text === '-' || text.startsWith('-}');
}

interface TextLine {
  readonly text: string;
  /** The number of the line, from 1, as a text editor counts. */
  readonly line: number;
}

/** The lines of a text that comes in chunks. CR LF, LF or CR ends a line. */
export function* textLines(chunks: Iterable<string>): Generator<TextLine, void, undefined> {
  let rest = '';
  let line = 1;
  let endsWithReturn = false;
  for (const chunk of chunks) {
    let from = 0;
    if (endsWithReturn && chunk.charCodeAt(0) === LF) from = 1;
    if (chunk.length > 0) endsWithReturn = false;
    for (let at = from; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (code !== LF && code !== CR) continue;
      refuseLong(rest.length + at - from, line);
      yield { text: rest + chunk.slice(from, at), line };
      line++;
      rest = '';
      if (code === CR && chunk.charCodeAt(at + 1) === LF) at++;
      else if (code === CR && at + 1 === chunk.length) endsWithReturn = true;
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

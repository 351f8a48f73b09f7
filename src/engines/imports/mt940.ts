import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Detection, ReadContext, ReadOptions } from './analysis.ts';
import { isSpace } from './cell-text.ts';
import { decodeMt940 } from './mt940-encoding.ts';
import { Mt940Statements } from './mt940-statements.ts';
import { refuseTableOptions } from './statement-options.ts';
import { textLines } from './statement-lines.ts';
import type { StatementFile } from './statement.ts';

const DATES: Detection = { value: 'YYMMDD', confidence: 'certain', evidence: ['content'], candidates: [] };
const TAG = /^:(13D?|2[015]|25P|28C?|34F|6[024][FM]?|6[15]|86|90[CD]|940|NS):/;
/** A time of day whose hours stand at the end of the line before. */
const BROKEN_TIME = /^:[0-5]\d:[0-5]\d(?!\d)/;
const LONGEST_TAG = 6;
const COLON = 58;

/**
 * Reads an MT940 file (36.14.4): any number of messages, with or without the SWIFT envelope around them.
 * @throws INVALID_FILE for what is no complete statement, NOT_TEXT, PAYLOAD_TOO_LARGE, VALIDATION_ERROR
 */
export function readMt940(bytes: Uint8Array, options: ReadOptions, context: ReadContext): StatementFile {
  refuseTableOptions('mt940', options);
  if (bytes.length > LIMITS.importFileBytes)
    throw new AppError('PAYLOAD_TOO_LARGE', 'The file is larger than 50 MiB. Split it into smaller files.');
  const text = decodeMt940(bytes, options.encoding);
  const statements = new Mt940Statements(Number(context.today.slice(0, 4)) + 1);
  for (const { text: raw, line } of textLines(text.chunks())) {
    const content = withoutMarks(withoutEnvelope(raw, statements));
    if (isEnd(content)) statements.endMessage(content);
    else {
      const isTime = statements.isInsideEntry && BROKEN_TIME.test(content.slice(0, LONGEST_TAG + 1));
      const tag = isTime ? null : TAG.exec(content.slice(0, LONGEST_TAG));
      if (tag) statements.tag(tag[1] as string, content.slice(tag[0].length), line);
      else if (content !== raw && content.trim() === '') statements.beginMessage();
      else statements.more(content);
    }
  }
  return {
    format: 'mt940',
    encoding: text.detection,
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

/** What a line holds inside the envelope `{1:…}{4:` … `-}`; the sender's BIC in it is kept. */
function withoutEnvelope(line: string, statements: Mt940Statements): string {
  const start = line.indexOf('{');
  if (start < 0 || start > 1) return line;
  const from = line.indexOf('{4:', start);
  if (from < 0 && !line.startsWith('{1:', start)) return line;
  const sender = /\{1:[A-Z]\d{2}([A-Z0-9]{12})/.exec(line.slice(start, start + 40))?.[1];
  if (sender !== undefined) statements.sender = bicOf(sender);
  statements.isInterim = /\{2:[IO]942/.test(line.slice(start, start + 120));
  return from < 0 ? '' : line.slice(from + 3);
}

/** A logical terminal address is a BIC with the terminal's letter in the middle. */
function bicOf(terminal: string): string {
  const branch = terminal.slice(9);
  return branch === 'XXX' ? terminal.slice(0, 8) : terminal.slice(0, 8) + branch;
}

function isEnd(line: string): boolean {
  const first = line.charCodeAt(0);
  if (first !== 45) return false;
  // eslint-disable-next-line no-control-regex
  const text = line.replaceAll(/[\s\u0000-\u0020]/g, '');
  return text === '-' || text.startsWith('-}');
}

import { isAscii } from 'node:buffer';

import sax from 'sax';

import { AppError } from '../../../../kernel/errors.ts';
import { LIMITS } from '../../../../kernel/limits.ts';
import type { Detection, ReadWarning } from '../../analysis.ts';
import { ENCODINGS, decodedChunks, detectEncoding } from '../../bytes/encoding.ts';
import type { EncodingDecision, TextSource } from '../../bytes/encoding.ts';

export interface XmlHandler {
  /** Names come without their namespace prefix. */
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(): void;
}

const MAX_DEPTH = 64;
const CHUNK = 4_096;
const LONGEST_KEYWORD = '[CDATA['.length;

const UNREAD = 'has a declaration, which is not accepted. Remove it.';

/** What the parser has buffered of a `<!…` before it knows what it is. */
interface Buffered {
  readonly sgmlDecl: string;
}

/**
 * Walks through an XML file piece by piece. Whatever could make a parser do more than read is refused: document type
 * definitions, entities of the file's own, deep nesting (36.14). Nothing in the file is ever fetched.
 */
export function walkXml(source: TextSource, handler: XmlHandler): void {
  const parser = sax.parser(true, { strictEntities: true } as sax.SAXOptions);
  const refuse = (what: string): never => {
    throw new AppError('INVALID_FILE', `Line ${parser.line + 1} of the file ${what}`);
  };
  let depth = 0;
  let seen = 0;
  parser.onerror = () => refuse('is not well-formed XML. Download the file from the bank again.');
  parser.ondoctype = () => refuse('has a document type definition, which is not accepted. Remove it.');
  parser.onsgmldeclaration = () => refuse(UNREAD);
  parser.onattribute = ({ name, value }) => {
    // The parser asks its own object for this name, so a file may not replace it.
    if (name === 'hasOwnProperty')
      refuse('has an attribute that is not accepted. Download the file from the bank again.');
    if (value.length > LIMITS.importFieldBytes)
      refuse('has a value longer than 64 KiB. Download the file from the bank again.');
  };
  parser.onopentag = (tag) => {
    depth++;
    seen++;
    if (depth > MAX_DEPTH) refuse(`is nested deeper than ${MAX_DEPTH} levels. Download the file from the bank again.`);
    handler.open(localName(tag.name), tag.attributes as Record<string, string>);
  };
  parser.ontext = (text) => handler.text(text);
  parser.oncdata = (text) => handler.text(text);
  parser.onclosetag = () => {
    depth--;
    handler.close();
  };
  for (const chunk of decodedChunks(source, CHUNK)) {
    parser.write(chunk);
    // The parser looks at all of an unfinished declaration again for each character, so a long one is stopped here.
    if ((parser as unknown as Buffered).sgmlDecl.length > LONGEST_KEYWORD) refuse(UNREAD);
  }
  parser.onerror = () => {
    throw new AppError('INVALID_FILE', 'The XML ends before it is complete. Download the file from the bank again.');
  };
  parser.close();
  if (seen === 0) throw new AppError('INVALID_FILE', 'The file is not XML. Download the file from the bank again.');
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

interface XmlEncoding {
  readonly source: TextSource;
  readonly detection: Detection;
  readonly warnings: readonly ReadWarning[];
}

const PROLOG_BYTES = 300;
const ALIASES = new Map([
  ['utf8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['ascii', 'utf-8'],
  ['latin1', 'iso-8859-1'],
  ['cp1252', 'windows-1252'],
  ['cp1250', 'windows-1250'],
  ['cp1251', 'windows-1251'],
  ['utf-16', 'utf-16le'],
]);

/**
 * The encoding of an XML file: the caller's, else what a byte order mark or UTF-16 shows, else what the prolog
 * declares. UTF-8 text is read as UTF-8 whatever the prolog says, and other text never is.
 */
export function xmlEncoding(bytes: Uint8Array, given: string | undefined): XmlEncoding {
  if (given !== undefined) return settled(detectEncoding(bytes, given), null);
  const found = detectEncoding(bytes, undefined);
  if (found.evidence.includes('bom') || found.source.label.startsWith('utf-16')) return settled(found, null);
  const declared = declaredEncoding(bytes);
  if (found.source.label === 'utf-8') {
    const isPlain = declared === 'utf-8' || declared.startsWith('utf-16') || isAscii(bytes);
    return settled(declaredAs(found), isPlain ? null : declared);
  }
  if (declared === 'utf-8' || declared.startsWith('utf-16')) return settled(found, declared);
  return settled(declaredAs(detectEncoding(bytes, declared)), null);
}

function declaredAs(found: EncodingDecision): EncodingDecision {
  return { ...found, confidence: 'certain', evidence: ['declared'], candidates: [] };
}

function settled(found: EncodingDecision, wronglyDeclared: string | null): XmlEncoding {
  const { source, confidence, evidence, candidates } = found;
  const detection = { value: source.label, confidence, evidence, candidates };
  if (wronglyDeclared === null) return { source, detection, warnings: [] };
  const message = `The file says that its encoding is ${wronglyDeclared}, but it is ${source.label}. It was read as ${source.label}.`;
  return { source, detection, warnings: [{ code: 'DECLARED_ENCODING_WRONG', message, lines: [1] }] };
}

/** The encoding in the XML declaration; UTF-8 without one. */
function declaredEncoding(bytes: Uint8Array): string {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, PROLOG_BYTES));
  const name = /^[^<]{0,8}<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head)?.[1];
  if (name === undefined) return 'utf-8';
  const label = name.toLowerCase();
  const known = ALIASES.get(label) ?? label;
  if (ENCODINGS.some((one) => one === known)) return known;
  throw new AppError(
    'INVALID_FILE',
    'The first line of the file names an unknown encoding. Save the file as UTF-8, or choose its encoding.',
  );
}

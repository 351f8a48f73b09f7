import sax from 'sax';

import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { TextSource } from './encoding.ts';
import { decodedChunks } from './encoding.ts';

export interface XmlHandler {
  /** Names come without their namespace prefix. */
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(): void;
}

const MAX_DEPTH = 64;
const CHUNK = 4_096;
const LONGEST_KEYWORD = '[CDATA['.length;

const UNREAD = 'has a declaration that is never read. Remove it.';

/** What the parser holds of a `<!…` before it knows which one it is. */
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
  parser.ondoctype = () => refuse('has a document type definition, which is never read. Remove it.');
  parser.onsgmldeclaration = () => refuse(UNREAD);
  parser.onattribute = ({ name, value }) => {
    // The parser asks its own object for this name, so a file may not replace it.
    if (name === 'hasOwnProperty') refuse('has an attribute that no bank writes. Download the file again.');
    if (value.length > LIMITS.importFieldBytes) refuse('has a value longer than 64 KiB. Download the file again.');
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

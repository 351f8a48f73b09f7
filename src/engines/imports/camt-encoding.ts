import { AppError } from '../../kernel/errors.ts';
import type { Detection, ReadWarning } from './analysis.ts';
import type { EncodingDecision, TextSource } from './encoding.ts';
import { detectEncoding, ENCODINGS } from './encoding.ts';

export interface XmlEncoding {
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
 * declares. Text that is UTF-8 is read as that whatever the prolog says, and text that is not is never taken for it.
 */
export function xmlEncoding(bytes: Uint8Array, given: string | undefined): XmlEncoding {
  if (given !== undefined) return settled(detectEncoding(bytes, given), null);
  const found = detectEncoding(bytes, undefined);
  if (found.evidence.includes('bom') || found.source.label.startsWith('utf-16')) return settled(found, null);
  const declared = declaredEncoding(bytes);
  if (found.source.label === 'utf-8') {
    const isPlain = declared === 'utf-8' || declared.startsWith('utf-16') || !bytes.some((byte) => byte >= 0x80);
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
  const message = `The file says that it is written in ${wronglyDeclared}, but it is in ${source.label}. It was read as that.`;
  return { source, detection, warnings: [{ code: 'DECLARED_ENCODING_WRONG', message, lines: [1] }] };
}

/** What the XML declaration names; UTF-8 when it names nothing. */
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

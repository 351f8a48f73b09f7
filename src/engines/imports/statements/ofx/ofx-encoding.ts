import { isAscii } from 'node:buffer';

import { AppError } from '../../../../kernel/errors.ts';
import type { Detection, ReadWarning } from '../../analysis.ts';
import { isDosCodePage } from '../../bytes/dos-code-pages.ts';
import { detectEncoding, ENCODINGS } from '../../bytes/encoding.ts';
import type { EncodingDecision, TextSource } from '../../bytes/encoding.ts';

const HEAD_BYTES = 4_096;
const NEXT_KEYS = ['CHARSET:', 'COMPRESSION:', 'OLDFILEUID:', 'NEWFILEUID:'];

/** What text must be in when it has the letters of no western language. */
const CENTRAL_EUROPEAN: ReadonlySet<string> = new Set(['windows-1250', 'iso-8859-2']);

interface OfxEncoding {
  readonly source: TextSource;
  readonly detection: Detection;
  readonly warnings: readonly ReadWarning[];
}

/** Many programs declare it whatever they write: no evidence against bytes that do not look western. */
const BOILERPLATE: ReadonlySet<string> = new Set(['windows-1252', 'iso-8859-1']);

/**
 * The encoding of an OFX file (36.14.1): the caller's, else what the bytes prove, else what the header declares. A
 * header that the bytes contradict is reported.
 */
export function ofxEncoding(bytes: Uint8Array, given: string | undefined): OfxEncoding {
  const found = detectEncoding(bytes, given);
  const declared = given === undefined ? declaredEncoding(bytes) : null;
  const { label } = found.source;
  if (declared === null || label.startsWith('utf-16')) return settled(found);
  if (label === 'utf-8') {
    if (!isAscii(bytes)) return declared === label ? settled(found) : settled(found, declared);
    return asDeclared({ ...found, source: { ...found.source, label: declared } });
  }
  if ((isDosCodePage(label) || CENTRAL_EUROPEAN.has(label)) && BOILERPLATE.has(declared))
    return settled(found, declared);
  if (found.confidence === 'ambiguous' && BOILERPLATE.has(declared)) return settled(found);
  const decision = strictly(bytes, declared);
  if (decision) return asDeclared(decision);
  return found.confidence === 'ambiguous' ? settled(found) : settled(found, declared);
}

function asDeclared(decision: EncodingDecision): OfxEncoding {
  return settled({ ...decision, confidence: 'certain', evidence: ['declared'], candidates: [] });
}

function settled(found: EncodingDecision, wronglyDeclared: string | null = null): OfxEncoding {
  const { source, confidence, evidence, candidates } = found;
  return {
    source,
    detection: { value: source.label, confidence, evidence, candidates },
    warnings:
      wronglyDeclared === null
        ? []
        : [
            {
              code: 'DECLARED_ENCODING_WRONG',
              message: `The file says that its encoding is ${wronglyDeclared}, but it is ${source.label}. It was read as ${source.label}.`,
              lines: [],
            },
          ],
  };
}

function strictly(bytes: Uint8Array, label: string): EncodingDecision | null {
  try {
    return detectEncoding(bytes, label);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** The label that the XML declaration or the OFX header states; null when it states none that is known. */
function declaredEncoding(bytes: Uint8Array): string | null {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, HEAD_BYTES)).toUpperCase();
  const end = head.search(/<OFX[\s>]/);
  const header = end < 0 ? head : head.slice(0, end);
  const encoding = stated(header, 'ENCODING');
  const own = encoding === null ? null : labelOf(encoding);
  const charset = stated(header, 'CHARSET');
  return own === 'utf-8' || charset === null ? own : (labelOf(charset) ?? own);
}

/** The word behind `KEY:` or `KEY="`; the keys of a header may follow each other without a space. */
function stated(header: string, key: string): string | null {
  const at = header.indexOf(key);
  if (at < 0) return null;
  const word = /^\s{0,4}[:=]\s{0,4}["']?([\w.:-]{1,40})/.exec(header.slice(at + key.length, at + key.length + 60))?.[1];
  if (word === undefined) return null;
  const next = NEXT_KEYS.map((other) => word.indexOf(other)).filter((index) => index > 0);
  return word.slice(0, Math.min(word.length, ...next));
}

function labelOf(name: string): string | null {
  const word = name.toLowerCase().replace(/^(?:cs|x-)/, '');
  if (/^(?:utf-?8|unicode)$/.test(word)) return 'utf-8';
  const windows = /^(?:windows-?|cp-?|win-?|ibm-?)?(125[0-2])$/.exec(word)?.[1];
  if (windows !== undefined) return `windows-${windows}`;
  const dos = /^(?:cp-?|ibm-?|dos-?)?(437|850|852)$/.exec(word)?.[1];
  if (dos !== undefined) return `ibm${dos}`;
  const iso = /^(?:iso-?)?8859-?(1|2|15)$/.exec(word)?.[1];
  if (iso !== undefined) return `iso-8859-${iso}`;
  if (word === 'latin1') return 'iso-8859-1';
  if (/^(?:shift[-_]?jis|sjis|ms932|932|windows-31j)$/.test(word)) return 'shift_jis';
  if (/^(?:gb2312|gbk|gb18030|936)$/.test(word)) return 'gb18030';
  if (/^(?:euc-?kr|ks_c_5601.{0,6}|949)$/.test(word)) return 'euc-kr';
  if (/^(?:big-?5|950)$/.test(word)) return 'big5';
  return ENCODINGS.find((known) => known === word) ?? null;
}

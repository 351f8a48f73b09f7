import { AppError } from '../../../kernel/errors.ts';

/** The bank file formats that content can be recognised as. */
type DetectedFormat = 'csv' | 'ofx' | 'qfx' | 'qif' | 'camt053' | 'mt940';

/** The formats as messages call them. */
export const FORMAT_NAMES: Readonly<Record<DetectedFormat, string>> = {
  csv: 'delimited text (CSV)',
  ofx: 'OFX',
  qfx: 'QFX',
  qif: 'QIF',
  camt053: 'CAMT.053',
  mt940: 'MT940',
};

const HEAD_BYTES = 4_096;
const MOST_JSON_BYTES = 1_048_576;
/** Some banks write a line above it, or give the root element a namespace. */
const OFX = /OFXHEADER:|<\?ofx\s|<(?:\w{1,20}:)?ofx[\s>]/i;

/** Banks call the HTML table that they offer for spreadsheets .xls; it may begin with any part of a page. */
const HTML =
  /^(?:<\?xml[^>]*>\s*|<!--[^>]*-->\s*)*<(?:!doctype\s+html|html|head|body|meta|style|title|table|div|script|center|font|p|br)[\s>/]/i;

interface Magic {
  readonly bytes: readonly number[];
  readonly kind: string;
  readonly remedy: string;
}

const MAGICS: readonly Magic[] = [
  {
    bytes: [0x25, 0x50, 0x44, 0x46],
    kind: 'a PDF document',
    remedy: 'Download the statement as CSV from your bank instead',
  },
  { bytes: [0x1f, 0x8b], kind: 'a gzip archive', remedy: 'Unpack it and upload the file inside' },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], kind: 'an old Excel or Office file', remedy: 'Open it and save the sheet as CSV' },
  {
    bytes: [0x89, 0x50, 0x4e, 0x47],
    kind: 'a PNG image',
    remedy: 'Download the statement as CSV from your bank instead',
  },
  { bytes: [0xff, 0xd8, 0xff], kind: 'a JPEG image', remedy: 'Download the statement as CSV from your bank instead' },
];

/**
 * What a file is by its first bytes (36.5.1). Throws EMPTY_FILE, and UNSUPPORTED_MEDIA_TYPE with the way out for
 * known kinds that no importer reads. Whatever is not recognisable is csv.
 */
export function detectFormat(bytes: Uint8Array): DetectedFormat {
  refuseEmpty(bytes);
  refuseMagic(bytes);
  const head = headText(bytes);
  const upper = head.slice(0, 2_000).toUpperCase();
  if (OFX.test(head)) return holdsIntuitTag(bytes) ? 'qfx' : 'ofx';
  if (/^!(?:type:|account|option|clear)/i.test(belowRemarks(head)) || isQifRecord(head)) return 'qif';
  if (upper.startsWith('{1:') || looksLikeMt940(head)) return 'mt940';
  if (upper.startsWith('<')) return xmlFormat(head);
  if (isJson(bytes, head)) throw unsupported('JSON', 'Choose CSV at the bank');
  return 'csv';
}

function refuseEmpty(bytes: Uint8Array): void {
  for (const byte of bytes) {
    const filler =
      byte <= 32 ? byte === 9 || byte === 10 || byte === 12 || byte === 13 || byte === 32 || byte === 0 : false;
    if (!filler && byte !== 0xef && byte !== 0xbb && byte !== 0xbf && byte !== 0xff && byte !== 0xfe) return;
  }
  if (bytes.length > 0 && bytes.every((byte) => byte === 0))
    throw new AppError('NOT_TEXT', 'The file contains only zero bytes. Download it from the bank again.');
  throw new AppError('EMPTY_FILE', 'The file is empty. Download it from the bank again.');
}

function refuseMagic(bytes: Uint8Array): void {
  for (const magic of MAGICS) {
    if (magic.bytes.every((byte, i) => bytes[i] === byte)) throw unsupported(magic.kind, magic.remedy);
  }
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5 || bytes[2] === 7)) {
    const names = new TextDecoder('windows-1252').decode(bytes.subarray(0, 65_536));
    const tail = new TextDecoder('windows-1252').decode(bytes.subarray(Math.max(0, bytes.length - 65_536)));
    const isSheet = names.includes('xl/') || tail.includes('xl/workbook.xml');
    if (isSheet) throw unsupported('an Excel workbook', 'Open it and save the sheet as CSV');
    if (names.includes('mimetypeapplication/vnd.oasis.opendocument.') || names.includes('Index/Document.iwa'))
      throw unsupported('an OpenDocument or Numbers file', 'Open it and save the sheet as CSV');
    throw unsupported('a ZIP archive', 'Unpack it and upload the file inside');
  }
}

function unsupported(kind: string, remedy: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', `The file is ${kind}, which cannot be imported. ${remedy}.`);
}

function headText(bytes: Uint8Array): string {
  const head = bytes.subarray(0, HEAD_BYTES);
  return new TextDecoder(labelOf(bytes)).decode(head).replace(/^[\s\uFEFF]+/u, '');
}

function labelOf([a, b, c, d]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((a === 0xff && b === 0xfe) || (b === 0 && d === 0)) return 'utf-16le';
  return (a === 0xfe && b === 0xff) || (a === 0 && c === 0) ? 'utf-16be' : 'utf-8';
}

/** The text from the first line that is neither a comment nor the end of a record. */
function belowRemarks(head: string): string {
  const lines = head.split(/[\r\n]+/u).map((line) => line.trim());
  return lines.find((line) => line !== '' && line !== '^' && !line.startsWith('#')) ?? '';
}

/** True when the text begins with a QIF transaction without a section above it. */
function isQifRecord(head: string): boolean {
  const lines = head.split(/\r\n|\r|\n/u, 60).map((line) => line.trim());
  const record = lines.slice(0, Math.max(0, lines.indexOf('^')));
  const has = (code: RegExp): boolean => record.some((line) => code.test(line));
  return has(/^D\s?\d/) && has(/^[TU][-+]?[\d.,]/) && record.every((line) => /^[A-Z$%]/.test(line));
}

/** Text in braces or brackets that parses. A larger one is told by how it begins. */
function isJson(bytes: Uint8Array, head: string): boolean {
  if (!/^[{[]/.test(head)) return false;
  if (bytes.length > MOST_JSON_BYTES) return /^[{[]\s*[{["]/.test(head) && /"[^"]*"\s*:/.test(head);
  try {
    JSON.parse(new TextDecoder(labelOf(bytes)).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

function holdsIntuitTag(bytes: Uint8Array): boolean {
  return new TextDecoder('windows-1252').decode(bytes.subarray(0, 65_536)).toUpperCase().includes('<INTU.');
}

function looksLikeMt940(head: string): boolean {
  const text = head.slice(0, 2_000);
  if (/^:(?:25P?|28C?|60[FM]?|61|62[FM]?):/.test(text)) return true;
  if (/(?:^|[\r\n]|\{4:)\s*:20:/.test(text) && /:25P?:|:28C?:|:60[FM]?:|:61:/.test(text)) return true;
  // Some banks leave :20: out, and write lines of their own above the first tag.
  return /(?:^|[\r\n])\s*:25P?:/.test(text) && /(?:^|[\r\n])\s*:60[FM]?:/.test(text);
}

function xmlFormat(head: string): DetectedFormat {
  if (HTML.test(head)) {
    throw unsupported(
      'a web page (HTML), maybe saved by the bank as .xls',
      'Open it in a spreadsheet and save it as CSV, or use the export button of the bank',
    );
  }
  if (/^<\?xml|^<[a-z][\w.-]*:?[\w.-]*[\s>/]|^<!--|^<!doctype/i.test(head)) {
    if (head.includes('camt.053.') || /<(?:[\w.-]+:)?BkToCstmrStmt[\s>]/.test(head)) return 'camt053';
    if (head.includes('camt.052.'))
      throw unsupported('an intraday report (CAMT.052)', 'Download the statement as CAMT.053 instead');
    if (head.includes('camt.054.'))
      throw unsupported('a notification of single entries (CAMT.054)', 'Download the statement as CAMT.053 instead');
    throw unsupported('an XML document of an unknown kind', 'Download the statement as CSV, OFX, CAMT.053 or MT940');
  }
  return 'csv';
}

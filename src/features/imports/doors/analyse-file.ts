import { analyseStatements } from '../../../engines/imports/statements/analyse-statements.ts';
import type {
  BankFileFormat,
  FileAnalysis,
  ReadContext,
  ReadOptions,
  StatementFormat,
  StoredProfile,
} from '../../../engines/imports/analysis.ts';
import { readCamt } from '../../../engines/imports/statements/camt/camt.ts';
import { analyseCsv } from '../../../engines/imports/csv.ts';
import { detectFormat, FORMAT_NAMES } from '../../../engines/imports/bytes/format.ts';
import { readMt940 } from '../../../engines/imports/statements/mt940/mt940.ts';
import { readOfx } from '../../../engines/imports/statements/ofx/ofx.ts';
import { readQif } from '../../../engines/imports/statements/qif/qif.ts';
import { refuseTableOptions } from '../../../engines/imports/statements/statement.ts';
import type { StatementFile } from '../../../engines/imports/statements/statement.ts';
import { AppError } from '../../../kernel/errors.ts';

const READERS: Readonly<
  Record<StatementFormat, (bytes: Uint8Array, options: ReadOptions, context: ReadContext) => StatementFile>
> = { ofx: readOfx, qfx: readOfx, qif: readQif, camt053: readCamt, mt940: readMt940 };

/** What an endpoint accepts: any bank file, or only delimited text. */
export type ImportEndpoint = 'any' | 'csv';

/**
 * Reads a bank file of any format (36.5). A file that no other format recognises counts as `csv`, so the caller may
 * name another format for it.
 * @throws INVALID_FILE if the content is clearly in another format, and whatever the readers throw
 */
export function analyseFile(
  bytes: Uint8Array,
  { wanted, endpoint }: { wanted: BankFileFormat | 'auto'; endpoint: ImportEndpoint },
  options: ReadOptions,
  context: ReadContext,
): FileAnalysis {
  const format = endpoint === 'csv' ? 'csv' : formatOf(detectFormat(bytes), wanted);
  if (format === 'csv') return analyseCsv(bytes, options, context);
  refuseTableOptions(format, options);
  return analyseStatements(READERS[format](bytes, options, context), options, context);
}

function formatOf(found: BankFileFormat, wanted: BankFileFormat | 'auto'): BankFileFormat {
  if (wanted === 'auto' || wanted === found || (isOfx(wanted) && isOfx(found))) return found;
  if (found === 'csv') return wanted;
  throw new AppError(
    'INVALID_FILE',
    `The file is ${FORMAT_NAMES[found]}, not ${FORMAT_NAMES[wanted]}. Choose that format, or let it be detected.`,
    { details: [{ path: 'format', message: `Leave format out, or send format: "${found}".` }] },
  );
}

function isOfx(format: BankFileFormat): boolean {
  return format === 'ofx' || format === 'qfx';
}

/**
 * If a file fits several encodings, uses the one of a remembered profile whose header matches when the file is read
 * that way: no one is asked twice (36.12).
 */
export function inRememberedEncoding(
  analysis: FileAnalysis,
  read: (options: ReadOptions) => FileAnalysis,
  options: ReadOptions,
  profiles: readonly StoredProfile[],
): FileAnalysis {
  if (analysis.detection.encoding.confidence !== 'ambiguous' || options.profile === 'none') return analysis;
  const candidates = new Set(analysis.detection.encoding.candidates.map(({ value }) => value));
  const remembered = new Set(profiles.flatMap(({ settings }) => settings.encoding ?? []));
  for (const encoding of remembered) {
    if (!candidates.has(encoding)) continue;
    const again = read({ ...options, encoding });
    const used = profiles.find(({ id }) => id === again.profile?.id);
    if (used?.settings.encoding !== encoding) continue;
    const detected = { value: encoding, confidence: 'profile' as const, evidence: ['stored_profile'], candidates: [] };
    return { ...again, detection: { ...again.detection, encoding: detected } };
  }
  return analysis;
}

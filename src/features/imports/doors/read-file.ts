import type { ReadTx } from '../../../db/unit-of-work.ts';
import type {
  AccountKnowledge,
  BalanceProof,
  Blocker,
  FileAnalysis,
  LedgerRow,
  ReadContext,
  ReadOptions,
  StoredProfile,
} from '../../../engines/imports/analysis.ts';
import { brokenProof } from '../../../engines/imports/questions/blockers.ts';
import { isCurrencyAssumed } from '../../../engines/imports/questions/currency.ts';
import { profilesFor } from '../../../engines/imports/profiles/profile-match.ts';
import { mayOwe } from '../../../engines/imports/proof/statement-proof.ts';
import { sha256Hex } from '../../../kernel/crypto.ts';
import { addDays, todayIn } from '../../../kernel/dates.ts';
import { AppError, validationError } from '../../../kernel/errors.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { configValue, householdZone } from '../../config/index.ts';
import type { BackgroundContext, Instance, Principal } from '../../handler.ts';
import { loadProfiles, profileChoice } from '../../import-profiles/index.ts';
import { alreadyImported } from '../plan/already-imported.ts';
import { analyseFile, inRememberedEncoding, type ImportEndpoint } from './analyse-file.ts';
import type { Found } from '../target/choose-account.ts';
import { findGivenTarget, type GivenTarget } from '../target/given-target.ts';
import type { ImportFields } from '../import-fields.contract.ts';
import { bareProof, mayUseAnchors } from '../plan/ledger-proof.ts';
import { selectEvidenceRows } from '../plan/ledger.queries.ts';
import { planImport } from '../plan/plan-import.ts';
import { resolveTarget } from '../target/resolve-target.ts';
import type { ImportSpool } from './spool.ts';
import { findNamedAccount, type Target } from '../target/target-account.ts';
import type { AccountRow } from '../target/targets.queries.ts';

const EVIDENCE_DAYS = 366;
const NOTHING = new Uint8Array(0);

/** A file as read for the account it goes to, with everything that stops an import. */
interface FileReading {
  analysis: FileAnalysis;
  /** Remembered profiles as they were when the file was read, the last used first. */
  profiles: readonly StoredProfile[];
  /** The member that the file belongs to. */
  userId: string;
  /** The account that it was read for; null for a new account or several. */
  targetId: string | null;
  /** The balance proof, including anchors from the ledger. */
  proof: BalanceProof;
  /** What in the content of the file stops an import, including the check of anchors. */
  blockers: readonly Blocker[];
  /** Every error that refuses the import, in the order of 36.15. */
  refusals: readonly AppError[];
}

export interface ReadFile extends FileReading {
  fields: ImportFields;
  bytes: number;
  sha256: string;
  fileName: string | null;
  /** Reads the file again, because it now goes to another account. */
  readAgain: (tx: ReadTx) => Promise<FileReading>;
}

/**
 * Reads the file of a request (36.8.1, step 1): the ids, then the file, then conflicts with the ledger.
 * @throws VALIDATION_ERROR, INVALID_PARAMETER, and the errors of files that cannot be read at all
 */
export async function readFile(
  { instance, principal, file }: Pick<BackgroundContext, 'instance' | 'principal' | 'file'>,
  fields: ImportFields,
  { endpoint, spool }: { endpoint: ImportEndpoint; spool: ImportSpool },
): Promise<ReadFile> {
  if (!file)
    throw validationError('file', 'Send the file as the form part `file`, as `csv_base64`, or as the raw body.');
  if (fields.sign !== undefined && fields.positive_is_debit !== undefined) {
    const stated = fields.positive_is_debit ? 'positive_is_out' : 'positive_is_in';
    if (stated !== fields.sign) throw validationError('positive_is_debit', 'contradicts sign; send only one of them');
  }
  const fileName = baseName(fields.file_name ?? file.fileName);
  const sha256 = sha256Hex(file.bytes);
  const bytes = file.bytes.length;
  const upload = spool.take(file.bytes);
  file.bytes = NOTHING;
  const read = (options: ReadOptions, context: ReadContext): FileAnalysis =>
    analyseFile(upload.whole(), { wanted: fields.format, endpoint }, options, {
      ...context,
      store: spool,
      letGo: upload.letGo,
    });
  const readAgain = (tx: ReadTx): Promise<FileReading> =>
    readForTarget(tx, { instance, principal, fields, fileName, sha256, read });
  return instance.database.read(async (tx) => {
    const settled = await readAgain(tx);
    return { fields, bytes, sha256, fileName, readAgain, ...settled };
  });
}

interface FileToRead extends Pick<ReadFile, 'fields' | 'fileName' | 'sha256'> {
  instance: Instance;
  principal: Principal | null;
  read: (options: ReadOptions, context: ReadContext) => FileAnalysis;
}

async function readForTarget(tx: ReadTx, file: FileToRead): Promise<FileReading> {
  const { instance, principal, fields, fileName, sha256 } = file;
  const given = await findGivenTarget(tx, fields, principal);
  const profiles = await loadProfiles(tx);
  const zone = await householdZone(tx);
  const ofHousehold = await configValue(tx, 'default_currency');
  const options = readOptions(fields, await profileChoice(tx, fields.profile));
  const analyse = (
    account: AccountRow | null,
    rows: readonly LedgerRow[],
    { isSeveral = false }: { isSeveral?: boolean } = {},
  ): FileAnalysis => {
    const known = profilesFor(profiles, { accountId: account?.id ?? null, isSeveral }, options.profile);
    const context = {
      today: todayIn(zone, instance.clock),
      profiles: known,
      account: account && knowledgeOf(account, rows),
      file_name: fileName,
      default_currency: ofHousehold,
    };
    const read = (one: ReadOptions): FileAnalysis => file.read(one, context);
    return inRememberedEncoding(read(options), read, options, known);
  };
  const named = await findNamedAccount(tx, given, fields.account_name);
  let analysis = analyse(named, []);
  const readFor = readings(analysis, profiles, (account) => analyse(account, []));
  const resolving = { tx, fields, given, readFor, profiles, sha256, fileName, numberKey: instance.numberKey };
  let target = await resolveTarget({ ...resolving, analysis });
  const account = named ?? onlyAccount(target);
  if (account) {
    const needsRows = mayBeSettledByLedger(analysis);
    const isOther = account !== named && mayBeSettledByAccount(account, analysis, profiles);
    if (needsRows || isOther) {
      analysis = analyse(account, needsRows ? await evidence(tx, account, analysis) : []);
      target = await resolveTarget({ ...resolving, analysis, known: foundOf(target) });
    }
  }
  if (isKnownSeveral(target) && !isReadAlone(analysis)) {
    analysis = analyse(null, [], { isSeveral: true });
    target = await resolveTarget({ ...resolving, analysis });
  }
  checkLines(analysis, fields);
  const proof = await anchoredProof(tx, { fields, analysis, sha256 }, target);
  const isAnchored = proof !== analysis.balance_proof;
  const blockers = [...analysis.blockers, ...(isAnchored ? brokenProof({ proof, options: fields }) : [])];
  const refusals = await refusalsOf(tx, { given, target, analysis, blockers, sha256 });
  const targetId = onlyAccount(target)?.id ?? null;
  return { analysis, profiles, userId: target.user.id, targetId, proof, blockers, refusals };
}

/** Whether a file has several accounts and all exist: what was learned from such a file then counts for this one. */
function isKnownSeveral({ accounts }: Target): boolean {
  return accounts.size > 1 && [...accounts.values()].every((one) => one === null || one.account !== null);
}

/** Whether the file and the request settle how values are read, without any profile. */
function isReadAlone(analysis: FileAnalysis): boolean {
  return isReadingSettled(analysis) && analysis.detection.currency.confidence !== 'none';
}

function isReadingSettled({ detection }: FileAnalysis): boolean {
  const { date_format, decimal_separator, sign, fee_mode } = detection;
  const settled = ['given', 'proved', 'certain', 'none'];
  return [date_format, decimal_separator, sign, fee_mode].every(({ confidence }) => settled.includes(confidence));
}

/** Reads the file for an account, once for each different way of reading. */
function readings(
  base: FileAnalysis,
  profiles: readonly StoredProfile[],
  analyse: (account: AccountRow) => FileAnalysis,
): (account: AccountRow) => Promise<FileAnalysis> {
  const known = new Map<string, FileAnalysis>();
  return async (account) => {
    if (isReadingSettled(base)) return base;
    const own = profiles.find((one) => one.account_id === account.id && one.header_signature === base.header_signature);
    const isOwed = mayOwe(account.type);
    if (!own && !isOwed) return base;
    const { date_format, decimal_separator, sign, fee_mode } = own?.settings ?? {};
    const key = JSON.stringify([date_format, decimal_separator, sign, fee_mode, isOwed]);
    const read = known.get(key) ?? (known.size < LIMITS.importReadingsCompared ? analyse(account) : base);
    known.set(key, read);
    return read;
  };
}

function foundOf({ accounts }: Target): Found | null {
  const only = accounts.size === 1 ? [...accounts.values()][0] : null;
  return only?.account ? { ...only.found, account: only.account } : null;
}

/** The existing account that the file goes to, if it is only one. */
export function onlyAccount({ accounts }: Target): AccountRow | null {
  return accounts.size === 1 ? ([...accounts.values()][0]?.account ?? null) : null;
}

/** Whether the ledger could settle or contradict what the file leaves open. Reading again costs time. */
function mayBeSettledByLedger({ detection }: FileAnalysis): boolean {
  const isSettled = ({ confidence }: { confidence: string }): boolean => ['proved', 'certain'].includes(confidence);
  const isDateSettled = isSettled(detection.date_format) || detection.date_format.confidence === 'given';
  const isSigned = ['positive_is_in', 'positive_is_out'].includes(detection.sign.value ?? 'positive_is_in');
  return !isDateSettled || (isSigned && !isSettled(detection.sign));
}

function mayBeSettledByAccount(
  account: AccountRow,
  analysis: FileAnalysis,
  profiles: readonly StoredProfile[],
): boolean {
  const { detection, balance_proof: proof, header_signature: signature, profile } = analysis;
  const isOwed = mayOwe(account.type);
  const own = profiles.find((one) => one.account_id === account.id && one.header_signature === signature);
  const { pending, iso_currency_code: currency, account_type: type } = own?.settings ?? {};
  const saysMore = [pending, currency, type].some((one) => one !== undefined);
  const isOwnUseful = own !== undefined && (profile?.id !== own.id || saysMore || !isReadAlone(analysis));
  const statesBalances = proof.status !== 'not_available' || proof.results.some((one) => one.closings.length > 0);
  const { value } = detection.currency;
  const isCurrencyOpen = value === null || value === 'per_row' || isCurrencyAssumed(detection.currency);
  return isCurrencyOpen || (isOwed && statesBalances) || isOwnUseful;
}

/** Ledger rows near the file. A date read in the other order lies within the same year or the next. */
async function evidence(tx: ReadTx, account: AccountRow, analysis: FileAnalysis): Promise<LedgerRow[]> {
  const { first_date: first, last_date: last } = analysis;
  if (first === null || last === null) return [];
  return selectEvidenceRows(tx, account.id, addDays(first, -EVIDENCE_DAYS), addDays(last, EVIDENCE_DAYS));
}

function knowledgeOf(account: AccountRow, rows: readonly LedgerRow[]): AccountKnowledge {
  return {
    account_id: account.id,
    type: account.type,
    iso_currency_code: account.iso_currency_code,
    ledgerRows: (firstDate, lastDate) => rows.filter((row) => row.date >= firstDate && row.date <= lastDate),
  };
}

function readOptions(fields: ImportFields, profile: string | undefined): ReadOptions {
  const delimiter = fields.delimiter === '\t' || fields.delimiter === '\\t' ? 'tab' : fields.delimiter;
  const mapping = fields.column_mapping;
  return {
    ...fields,
    profile,
    delimiter,
    column_mapping: mapping === undefined || Object.keys(mapping).length === 0 ? undefined : mapping,
  };
}

/** The name without folders and control characters, at most 255 characters (36.17). */
function baseName(name: string | null | undefined): string | null {
  const base = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  // eslint-disable-next-line no-control-regex
  const clean = base.replace(/[\u0000-\u001f\u007f-\u009f]/g, '').trim();
  return clean === '' ? null : [...clean].slice(0, 255).join('');
}

const NO_DATA = new Set(['REPEATED_HEADER', 'NOT_A_ROW', 'OPENING_BALANCE', 'STATED_BALANCE', 'UNSUPPORTED_RECORD']);

/** Why a data row is skipped whatever the caller would like, and what would help. */
const NOT_INCLUDED: Readonly<Record<string, string>> = {
  PENDING: 'is pending, and pending rows are skipped. Send pending: import to take them',
  STATUS_IGNORED: 'has a status that moves no money, so it is no transaction',
  REPEATED_ROW: 'repeats a row of another statement in this file, with its id, and both are one transaction',
};

/** @throws VALIDATION_ERROR for a line that is in both lists, is not a data row, or cannot be included */
function checkLines(analysis: FileAnalysis, fields: ImportFields): void {
  const { include_lines: include, exclude_lines: exclude } = fields;
  if (include.length === 0 && exclude.length === 0) return;
  const both = include.find((line) => exclude.includes(line));
  if (both !== undefined)
    throw validationError('include_lines', `include_lines: line ${both} is also in exclude_lines.`);
  const wanted = new Map([
    ...include.map((line) => [line, 'include_lines'] as const),
    ...exclude.map((line) => [line, 'exclude_lines'] as const),
  ]);
  for (const row of analysis.rows()) {
    if (row.reason !== null && NO_DATA.has(row.reason)) continue;
    if (wanted.get(row.line) === 'include_lines' && row.outcome !== 'row') {
      const why = NOT_INCLUDED[row.reason ?? ''] ?? `cannot be read: ${row.message ?? 'it is not valid'}`;
      throw validationError('include_lines', `include_lines: line ${row.line} ${why}.`);
    }
    wanted.delete(row.line);
  }
  for (const [line, path] of wanted) throw validationError(path, `${path}: line ${line} is not a data row.`);
}

/** The proof with the ledger's balances, if nothing about the reading is open. */
async function anchoredProof(
  tx: ReadTx,
  file: Pick<ReadFile, 'fields' | 'analysis' | 'sha256'>,
  target: Target,
): Promise<BalanceProof> {
  const { analysis } = file;
  if (analysis.blockers.length > 0 || !mayUseAnchors(analysis.balance_proof, target)) return analysis.balance_proof;
  return (await planImport(tx, file, target)).proof;
}

async function refusalsOf(
  tx: ReadTx,
  read: { given: GivenTarget; target: Target } & Pick<ReadFile, 'analysis' | 'blockers' | 'sha256'>,
): Promise<AppError[]> {
  const { given, target, analysis, blockers, sha256 } = read;
  const conflict = given.conflict ?? target.conflict;
  const again = await alreadyImported(tx, target, analysis, sha256);
  return [...(conflict ? [conflict] : []), ...blockersAsErrors(blockers), ...(again?.error ? [again.error] : [])];
}

/** The blockers as the errors that an import answers with; ambiguities of one kind become one error. */
function blockersAsErrors(blockers: readonly Blocker[]): AppError[] {
  const grouped = ['AMBIGUOUS_FORMAT', 'WRONG_MAPPING'];
  const errors: AppError[] = [];
  for (const blocker of blockers) {
    const isGrouped = grouped.includes(blocker.code);
    if (isGrouped && errors.some((error) => error.code === blocker.code)) continue;
    const alike = isGrouped ? blockers.filter((one) => one.code === blocker.code) : [blocker];
    const members = isGrouped
      ? {
          candidates: alike
            .filter((one) => one.parameter !== null)
            .map((one) => ({ parameter: one.parameter, values: one.candidates })),
        }
      : blocker.parameter === null
        ? {}
        : { parameter: blocker.parameter };
    const details = alike.flatMap((one) => one.details);
    errors.push(new AppError(blocker.code, blocker.message, { details, members }));
  }
  return errors;
}

/** @throws the first refusal of a file (36.15), with the proof if that is broken */
export function refuse(file: ReadFile): void {
  const [first] = file.refusals;
  if (!first) return;
  if (first.code !== 'BALANCE_MISMATCH') throw first;
  throw new AppError(first.code, first.message, {
    ...first.extra,
    members: { ...first.extra.members, balance_proof: bareProof(file) },
  });
}

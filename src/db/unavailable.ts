import { AppError } from '../kernel/errors.ts';

const SQLITE_BUSY = 5;
/**
 * Error codes of the network, and classes of SQLSTATE that mean "not now": connection, resources, operator (PostgreSQL
 * manual, Appendix A).
 */
const UNREACHABLE_CODES = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08|25P03|25P04|53|57P)/;
/** How the messages begin of driver errors that have no code. */
const DISCONNECTED =
  /^(Connection terminated|Client (has encountered|was closed)|timeout exceeded when trying to connect)/;
const RETRY_LATER = { headers: { 'retry-after': '5' } };

/** Turns what a driver throws when the database cannot be used into 503; returns anything else unchanged. */
export function orUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  const trouble = serverTrouble(code);
  if (trouble !== undefined) return unavailable(`${trouble} Nothing was changed.`, error);
  if (isBusy(error)) {
    const message = 'Another program is writing to the database. Nothing was changed. Try again when it has finished.';
    return unavailable(message, error);
  }
  const isLost = (typeof code === 'string' && UNREACHABLE_CODES.test(code)) || syscall === 'connect';
  if (isLost || DISCONNECTED.test(error.message)) {
    const message = 'The database cannot be reached right now. Nothing was changed. Try again in a moment.';
    return unavailable(message, error);
  }
  return error;
}

/** Whether SQLite gave up waiting for another process. */
export function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' && (errcode & 0xff) === SQLITE_BUSY;
}

/** The same for a probe, which changes nothing; `error` may be no more than a code. */
export function asUnready(error: unknown): unknown {
  const trouble = serverTrouble((error as { code?: unknown } | null)?.code);
  return trouble === undefined ? error : new AppError('UNAVAILABLE', trouble, RETRY_LATER);
}

function unavailable(message: string, cause: Error): AppError {
  const error = new AppError('UNAVAILABLE', message, RETRY_LATER);
  error.cause = cause;
  return error;
}

/** The connection broke before a commit was confirmed, so only the database knows whether the change was kept. */
export class UnansweredCommit extends AppError {
  /** @param changeSetId the id of the change set, if the change was kept */
  constructor(cause: unknown, changeSetId?: string) {
    const where =
      changeSetId === undefined
        ? 'GET /api/v1/change-sets lists what was saved'
        : `GET /api/v1/change-sets/${changeSetId} finds it if it was saved`;
    const message =
      'The connection to the database broke before it confirmed the change, so the change may or may not have been saved. Send the same ' +
      `request again with the same Idempotency-Key; it is never executed twice. Without a key, check first: ${where}.`;
    super('UNAVAILABLE', message, RETRY_LATER);
    this.cause = cause;
  }
}

/** The server no longer has the plan of a statement, or cannot use it: the transaction is rolled back. */
export class LostPlan extends AppError {
  constructor(cause: unknown) {
    super(
      'UNAVAILABLE',
      'The database was being changed meanwhile. Nothing was changed. Try again in a moment.',
      RETRY_LATER,
    );
    this.cause = cause;
  }
}

/** Whether the database could not be used, so that the same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'UNAVAILABLE';
}

const SQLITE_CONSTRAINT = 19;
const CONSTRAINT_VIOLATIONS = '23';

/** Whether the database failed, and not what was written: a row that breaks a rule of its table is no failure. */
export function isFailureOfDatabase(error: unknown): boolean {
  if (isUnavailable(orUnavailable(error))) return true;
  if (!(error instanceof Error) || error instanceof AppError) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return (errcode & 0xff) !== SQLITE_CONSTRAINT;
  return typeof code === 'string' && code.length === 5 && !code.startsWith(CONSTRAINT_VIOLATIONS);
}

/** The SQLSTATE of a write on a server that takes none. */
export const READ_ONLY_SERVER = '25006';

/** What to tell a caller when the database server has trouble, by SQLSTATE or its first characters; the longest one wins. */
const SERVER_TROUBLES: Readonly<Record<string, string>> = {
  [READ_ONLY_SERVER]:
    'The database server is read-only. Connect to one that accepts writes, or end its read-only mode.',
  '53100': 'The disk of the database server is full. Free some space there, then send this again.',
  '53200': 'The database server is out of memory. Try again in a moment.',
  '53300': 'The database server has no free connections. Raise its max_connections, or close other programs.',
  '55P03': 'The database server gave up waiting for a lock that another change holds. Try again in a moment.',
  '57014':
    'The database server ended a query, probably after its statement_timeout. Raise that, or ask for less at once.',
  '57P': 'The database server is stopping or starting. Try again in a moment.',
  '58': 'The database server cannot read its files. Check its log and its disk.',
  XX001: 'The database is damaged on the server. Check its log and restore a backup.',
  XX002: 'An index of the database is damaged on the server. Check its log and rebuild the index (REINDEX).',
};

function serverTrouble(code: unknown): string | undefined {
  if (typeof code !== 'string' || code.length !== 5) return undefined;
  return SERVER_TROUBLES[code] ?? SERVER_TROUBLES[code.slice(0, 3)] ?? SERVER_TROUBLES[code.slice(0, 2)];
}

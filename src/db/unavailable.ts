import { AppError } from '../kernel/errors.ts';

const BUSY = 5;
const FULL = 13;
/** Network trouble, and the classes of PostgreSQL that mean "not now": connection, resources, operator (Appendix A). */
const LOST = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08|53|57P)/;

/** Turns what a driver throws when the database cannot be used into 503; anything else stays as it is. */
export function orUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (errcode === FULL) return unavailable('The disk is full. Nothing was changed.', error);
  const isBusy = errcode === BUSY;
  const isLost = typeof code === 'string' && LOST.test(code);
  const isCut = /^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message);
  if (isBusy || isLost || isCut)
    return unavailable('The database cannot be reached right now. Nothing was changed.', error);
  return error;
}

function unavailable(message: string, cause: Error): AppError {
  const error = new AppError('UNAVAILABLE', message, { headers: { 'retry-after': '5' } });
  error.cause = cause;
  return error;
}

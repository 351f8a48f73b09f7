import { AppError } from '../../kernel/errors.ts';
import { MEBIBYTE } from '../../kernel/limits.ts';

interface FrameworkError {
  code?: unknown;
  statusCode?: unknown;
}

/** Any thrown value as an error of the catalogue; an unknown one becomes INTERNAL_ERROR and reveals nothing. */
export function toAppError(error: unknown, bodyLimit?: number): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode } = (typeof error === 'object' && error !== null ? error : {}) as FrameworkError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) {
    const most = bodyLimit === undefined ? '' : `; it takes at most ${bodyLimit / MEBIBYTE} MiB`;
    return new AppError('PAYLOAD_TOO_LARGE', `The body is too large for this path${most}.`);
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') {
    return new AppError('UNSUPPORTED_MEDIA_TYPE', 'This path does not accept the Content-Type of the body.');
  }
  if (code === 'FST_CP_ERR_INVALID_CONTENT_ENCODING') {
    return new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The Content-Encoding is not supported. Send the body uncompressed, or with gzip, deflate or br.',
    );
  }
  if (code === 'FST_CP_ERR_INVALID_CONTENT') {
    return new AppError('INVALID_BODY', 'The body is not encoded as its Content-Encoding says.');
  }
  // The client disconnected while it was sending; nobody reads this answer.
  if (code === 'ECONNRESET' && statusCode === 400)
    return new AppError('INVALID_BODY', 'The connection broke before the whole body had arrived.');
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') {
    return new AppError('INVALID_BODY', 'The length of the body differs from its Content-Length.');
  }
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side. Nothing was changed.');
}

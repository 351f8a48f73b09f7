import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { AppError, errorBody } from '../../kernel/errors.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** A socket that answers a request knows the answer; Node has no public name for it. */
interface AnsweringSocket extends Socket {
  _httpMessage?: Pick<ServerResponse, 'headersSent'> | null;
}

/** What Node itself would answer, without our envelope. */
export function answerOddRequests(server: Server): void {
  // An expectation that is not known is judged like everything else of the head.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => {
    const error = new AppError('METHOD_NOT_ALLOWED', 'This is not a proxy: CONNECT is not supported.');
    writeError(socket as Socket, error, `Allow: ${METHODS}\r\n`);
  });
}

/**
 * A head that is well-formed and yet means nothing to us.
 * @throws INVALID_BODY, EXPECTATION_FAILED
 */
export function refuseOddHead(request: IncomingMessage): void {
  const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
    throw new AppError('INVALID_BODY', 'An HTTP/1.1 request needs exactly one Host header.', CLOSING);
  }
  const { expect } = request.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new AppError(
      'EXPECTATION_FAILED',
      'The Expect header can only be 100-continue. Leave it out otherwise.',
      CLOSING,
    );
  }
}

/** A path that cannot be decoded is taken literally, so that it meets the same checks as any unknown path. */
export function decodableUrl(url: string): string {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/** Where the request ends is not certain, or its body will not be read. */
const CLOSING = { headers: { connection: 'close' } };

/** Answers what is no HTTP request, or ends before it is whole. */
export function answerBadHttp(error: { code?: string }, socket: AnsweringSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent === true) {
    socket.destroy();
    return;
  }
  writeError(socket, badHttp(error.code ?? ''), '');
}

function badHttp(code: string): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('HEADERS_TOO_LARGE', 'The URL and headers of the request are too large.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('PAYLOAD_TOO_LARGE', 'The chunks of the body have too many extensions.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('REQUEST_TIMEOUT', 'The request did not arrive in time. Send it again.');
    default:
      return new AppError('INVALID_BODY', 'The request is not well-formed HTTP.');
  }
}

function writeError(socket: Socket, error: AppError, headers: string): void {
  const body = JSON.stringify(errorBody(error));
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${headers}` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}

import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { canBeDecoded } from '../../features/parse-input.ts';
import { AppError, errorBody } from '../../kernel/errors.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** A socket refers to the response that it is sending; Node has no public name for that. */
interface AnsweringSocket extends Socket {
  _httpMessage?: Pick<ServerResponse, 'headersSent'> | null;
}

/** Answers with our envelope what Node would answer itself. */
export function answerOddRequests(server: Server): void {
  // An unknown expectation is checked like the rest of the head.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => {
    const error = new AppError('METHOD_NOT_ALLOWED', 'This is not a proxy: CONNECT is not supported.');
    writeError(socket as Socket, error, `Allow: ${METHODS}\r\n`);
  });
}

/**
 * Refuses a head that is well-formed but that we cannot serve.
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
      'The Expect header must be 100-continue. Correct it, or leave it out.',
      CLOSING,
    );
  }
}

/** A path that cannot be decoded is taken literally, so that it meets the same checks as any unknown path. */
export function decodableUrl(url: string): string {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  return canBeDecoded(path) ? url : [path.replaceAll('%', '%25'), ...query].join('?');
}

/** For requests whose end is uncertain, or whose body will not be read. */
const CLOSING = { headers: { connection: 'close' } };

/** Answers what is not an HTTP request, or ends before it is complete. */
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
      return new AppError('PAYLOAD_TOO_LARGE', 'The chunk extensions of the body are too large.');
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

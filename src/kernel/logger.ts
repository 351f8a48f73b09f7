import { pino, type DestinationStream, type Logger } from 'pino';

import { sendToStandardError } from './standard-error.ts';

export type { Logger } from 'pino';

interface LogOptions {
  level: 'error' | 'warn' | 'info' | 'debug' | 'silent';
  format: 'json' | 'pretty';
  /** Where JSON lines go instead of standard error. */
  destination?: DestinationStream;
}

/** Keys, tokens, account numbers and payloads never reach a log line, whatever is passed by mistake. */
const REDACTED = [
  'key',
  'token',
  'password',
  'secret',
  'authorization',
  'cookie',
  '*.key',
  '*.token',
  '*.password',
  '*.secret',
  'headers["x-api-key"]',
  'req.headers',
];

/** A logger to standard error, so that command output on standard output stays clean. */
export async function createLogger(options: LogOptions): Promise<Logger> {
  const settings = {
    level: options.level,
    base: null,
    redact: { paths: REDACTED, censor: '[redacted]' },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  if (options.format === 'json') {
    return pino(settings, options.destination ?? { write: sendToStandardError });
  }
  const { prettyFactory } = await import('pino-pretty');
  const inWords = prettyFactory({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' });
  return pino(settings, { write: (line) => sendToStandardError(inWords(line)) });
}

import { CommanderError } from 'commander';

import { AppError, OperatorError } from '../../kernel/errors.ts';

/** Exit codes of contract 85.1. */
export const EXIT = { done: 0, failed: 1, usage: 2, rights: 3, unreachable: 4, refused: 5, interrupted: 130 } as const;

/** A mistake in how a command was called: exit 2, nothing done. */
export class UsageError extends Error {}

/** The server that a command speaks to does not answer, or cannot: exit 4. */
export class Unanswered extends Error {}

/** Something was checked and is not well, which the output has said already: exit 1. */
export class CheckFailed extends Error {}

/** Ctrl-C, or the end of the input, in place of an answer. */
export class Interrupted extends Error {}

interface ListenError extends Error {
  code?: string;
  syscall?: string;
  port?: number;
  address?: string;
  hostname?: string;
}

/** Reports an error on standard error and returns the exit code. */
export function explainFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof Interrupted) return EXIT.interrupted;
  if (error instanceof CheckFailed) return EXIT.failed;
  if (error instanceof UsageError) return say(error.message, EXIT.usage);
  if (error instanceof Unanswered) return say(error.message, EXIT.unreachable);
  if (error instanceof AppError && error.code === 'UNAVAILABLE') {
    // A known cause already says what to do about it.
    const isAway = error.message.startsWith('The database cannot be reached');
    const advice = isAway ? ' Check DATABASE_URL, and that its server is running.' : '';
    return say(`${error.message}${advice}${quotedState(error.cause)}`, EXIT.failed);
  }
  if (error instanceof AppError) {
    const details = (error.extra.details ?? []).map((detail) => `\n  ${detail.path}: ${detail.message}`).join('');
    const isAboutRights = error.status === 401 || error.status === 403;
    return say(`${error.code}: ${error.message}${details}`, isAboutRights ? EXIT.rights : EXIT.refused);
  }
  if (error instanceof OperatorError) return say(`${error.message}${quotedState(error.cause)}`, EXIT.failed);
  const { code, syscall, message, port, address, hostname } = error as ListenError;
  if (code === 'EADDRINUSE') return say(`Port ${port} is in use. Set PORT to another one.`, EXIT.failed);
  if (code === 'EACCES' && syscall === 'listen')
    return say(`This user may not listen on port ${port}. Set PORT to one from 1024 on.`, EXIT.failed);
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code ?? ''))
    return say(`HOST must be an address or a name of this machine; ${address ?? hostname} is not one.`, EXIT.failed);
  return say(`${message}${quotedState(error)}`, EXIT.failed);
}

/** A state as SQL has it; codes of the network, such as EPIPE, begin with an E. */
const SQLSTATE = /^(?!E)(?=.*\d)[0-9A-Z]{5}$/;

/** What the database server called its trouble, to be looked up in its manual; empty where it was something else. */
function quotedState(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && SQLSTATE.test(code) ? ` (SQLSTATE ${code})` : '';
}

function say(message: string, code: number): number {
  process.stderr.write(`error: ${message}\n`);
  return code;
}

/** Characters that change what a terminal shows of other text: control characters, and those that reverse its direction. */
const UNSHOWN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text that nobody has checked, so that it changes nothing else that the terminal shows. */
export function shownText(text: string): string {
  return text.replace(UNSHOWN, '\ufffd');
}

import {
  ApiError,
  ConnectionLost,
  createClient,
  type Answered,
  type CallOptions,
  type Client,
} from '../../src/contract/client.ts';
import type { CallOf, OutputOf } from '../../src/contract/operation.ts';
import { noteLostConnection } from './connection.ts';
import { askInPassing, askToSignIn } from './sign-in-again.ts';

export { ApiError, ConnectionLost } from '../../src/contract/client.ts';

const browser = createClient({ baseUrl: location.origin });
/** Longer than that, the person decides. */
const LONGEST_WAIT_S = 60;

/**
 * The client of all pages. It waits as long as a 429 asks, lets the person sign in again when the session has ended and
 * repeats the call, and notices when the server cannot be reached.
 */
export const api: Client & { send: typeof send } = {
  send,
  call: async (...args) => (await send(...args)).value,
};

/**
 * The client of the account pages. It repeats nothing by itself: these pages are where one signs in, and what they send
 * is throttled for so long that they say when to try again.
 */
export const visitorApi: Client = {
  send: sendOnce,
  call: async (...args) => (await sendOnce(...args)).value,
};

async function sendOnce<O extends Parameters<Client['send']>[0]>(
  operation: O,
  input: CallOf<O>,
  options: CallOptions = {},
): Promise<Answered<OutputOf<O>>> {
  try {
    return await browser.send(operation, input, options);
  } catch (error) {
    if (error instanceof ConnectionLost) noteLostConnection();
    throw error;
  }
}

interface AskedOptions extends CallOptions {
  /** A read that is part of what a person does: its session having ended, they are asked to sign in again. */
  isAsked?: boolean;
}

async function send<O extends Parameters<Client['send']>[0]>(
  operation: O,
  input: CallOf<O>,
  { isAsked = operation.method !== 'GET', ...options }: AskedOptions = {},
): Promise<Answered<OutputOf<O>>> {
  const before: Before = { hasAsked: false, waitedS: 0 };
  for (;;) {
    try {
      return await sendOnce(operation, input, options);
    } catch (error) {
      if (!(await canRepeat(error, before, isAsked))) throw error;
    }
  }
}

/** What this call has been repeated for. */
interface Before {
  hasAsked: boolean;
  waitedS: number;
}

async function canRepeat(error: unknown, before: Before, isAsked: boolean): Promise<boolean> {
  if (!(error instanceof ApiError)) return false;
  if (isSignedOut(error)) {
    if (before.hasAsked) return false;
    before.hasAsked = true;
    return isAsked ? askToSignIn() : askInPassing();
  }
  if (error.status !== 429 || error.retryAfter === null) return false;
  // Where many calls wait, only some get through at a time.
  const pauseS = Math.max(1, error.retryAfter);
  before.waitedS += pauseS;
  if (before.waitedS > LONGEST_WAIT_S) return false;
  await new Promise((resolve) => setTimeout(resolve, 1_000 * pauseS));
  return true;
}

/** The session has ended, and nobody has signed in again. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'MISSING_API_KEY' || error.code === 'LOGIN_REQUIRED');
}

/** What an error says to a person. The server's words about a missing key are for programs. */
export function messageOf(error: unknown): string {
  if (isSignedOut(error)) return 'Your session has ended. Sign in to continue.';
  if (error instanceof ApiError || error instanceof ConnectionLost) return error.message;
  return 'Something went wrong on this page. Load it again.';
}

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
import { askToSignIn } from './sign-in-again.ts';

export { ApiError, ConnectionLost } from '../../src/contract/client.ts';

const browser = createClient({ baseUrl: location.origin });
/** Longer than that, the person decides. */
const LONGEST_WAIT_S = 60;

/**
 * The client of all pages. It waits as long as a 429 asks, lets the person sign in again when the session has ended and
 * repeats the call, and notices when the server cannot be reached.
 */
export const api: Client = {
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

async function send<O extends Parameters<Client['send']>[0]>(
  operation: O,
  input: CallOf<O>,
  options: CallOptions = {},
): Promise<Answered<OutputOf<O>>> {
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      return await sendOnce(operation, input, options);
    } catch (error) {
      if (!(await canRepeat(error, isRepeated))) throw error;
    }
  }
}

async function canRepeat(error: unknown, isRepeated: boolean): Promise<boolean> {
  if (!(error instanceof ApiError) || isRepeated) return false;
  if (error.code === 'MISSING_API_KEY' || error.code === 'LOGIN_REQUIRED') return askToSignIn();
  if (error.status !== 429 || error.retryAfter === null || error.retryAfter > LONGEST_WAIT_S) return false;
  await new Promise((resolve) => setTimeout(resolve, 1_000 * (error.retryAfter ?? 0)));
  return true;
}

/** What an error says to a person. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof ConnectionLost) return error.message;
  return 'Something went wrong on this page. Load it again.';
}

import { createStore } from '../lib/store.ts';

/** Whether the dialog to sign in again is open. */
export const isSignInAsked = createStore(false);

let waiting: ((isSignedIn: boolean) => void)[] = [];

/** An action whose session has ended waits here. Resolves with true when it can be repeated. */
export function askToSignIn(): Promise<boolean> {
  const answer = new Promise<boolean>((resolve) => waiting.push(resolve));
  isSignInAsked.set(true);
  return answer;
}

/** The person has signed in again, or given up. */
export function answerWaiting(isSignedIn: boolean): void {
  const asked = waiting;
  waiting = [];
  isSignInAsked.set(false);
  for (const resolve of asked) resolve(isSignedIn);
}

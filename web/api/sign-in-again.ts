import { createStore } from '../lib/store.ts';

/** Whether the dialog to sign in again is open. */
export const isSignInAsked = createStore(false);

let waiting: ((isSignedIn: boolean) => void)[] = [];
/** The person wants to be left alone, to copy what they have typed or to go. */
let isDeclined = false;

/** What the page asks for by itself waits too, but does not ask again once the person has said no. */
export async function askInPassing(): Promise<boolean> {
  return isDeclined ? false : askToSignIn();
}

/** An action whose session has ended waits here. Resolves with true when it can be repeated. */
export function askToSignIn(): Promise<boolean> {
  const answer = new Promise<boolean>((resolve) => waiting.push(resolve));
  isSignInAsked.set(true);
  return answer;
}

/** The person has signed in again, or given up. */
export function answerWaiting(isSignedIn: boolean): void {
  const asked = waiting;
  isDeclined = !isSignedIn;
  waiting = [];
  isSignInAsked.set(false);
  for (const resolve of asked) resolve(isSignedIn);
}

/** Somebody is signed in, perhaps in another tab. */
export function noteSignedIn(): void {
  isDeclined = false;
}

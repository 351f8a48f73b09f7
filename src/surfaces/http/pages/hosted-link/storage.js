// @ts-check
/*
 * What pages leave for each other while a bank sends the browser away and back. The dashboard uses the same two places:
 * `homeledger.bank-window` in the local storage, {"link_token", "page"}, and `homeledger.bank-result` in the session
 * storage, {"signedIn": {"credentials", "renewal"}} or {"problem": text or null}.
 */
const WINDOW_KEY = 'homeledger.bank-window';
const RESULT_KEY = 'homeledger.bank-result';

/** @param {Storage} storage @param {string} key */
function takeFrom(storage, key) {
  const text = storage.getItem(key);
  storage.removeItem(key);
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** @type {any} how the bank's window is opened; a provider's own script adds to it */
// oxlint-disable-next-line no-unused-vars -- the scripts after this one use it
const bankWindow = {
  needsReturn: false,
  isLoaded: () => false,
  /** @param {string} linkToken @param {string} page */
  remember: (linkToken, page) => localStorage.setItem(WINDOW_KEY, JSON.stringify({ link_token: linkToken, page })),
  recall() {
    const left = takeFrom(localStorage, WINDOW_KEY);
    // A path of this origin, and nothing that a browser reads as another host.
    return left && /^\/(?![/\\])/.test(left.page) ? left : null;
  },
  /** @param {object} result */
  leaveResult: (result) => sessionStorage.setItem(RESULT_KEY, JSON.stringify(result)),
  takeResult: () => takeFrom(sessionStorage, RESULT_KEY),
};

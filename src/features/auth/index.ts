export { checkPassword, findPasswordFault } from './check-password.ts';
export { describeSession } from './describe-session.ts';
export { forgetBrowsers } from './known-browsers.queries.ts';
export { browserOf, checkOwnPassword, getSignedIn, logAttempt, sessionOf, wrongPassword } from './own-login.ts';
export { purgeDead } from './purge.ts';
export {
  endSessions,
  findSession,
  idleExpiry,
  insertSession,
  scopeOf,
  stampSession,
  type SessionRow,
} from './session.queries.ts';
export { createSignInThrottle, type SignInThrottle } from './sign-in-throttle.ts';
export { startSession, type StartedSession } from './start-session.ts';

export { checkPassword, findPasswordFault } from './check-password.ts';
export { forgetBrowsers } from './known-browsers.queries.ts';
export {
  endSessions,
  findSession,
  idleExpiry,
  insertSession,
  stampSession,
  type NewSession,
  type SessionRow,
} from './session.queries.ts';
export { clearedSessionCookie, startSession, type StartedSession } from './start-session.ts';

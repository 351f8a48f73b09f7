export {
  endSessions,
  findSession,
  idleExpiry,
  insertSession,
  stampSession,
  type NewSession,
  type SessionRow,
} from './session.queries.ts';

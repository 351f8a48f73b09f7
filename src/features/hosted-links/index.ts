export { endLinkSessions, endLinkSessionsOf } from './end-sessions.ts';

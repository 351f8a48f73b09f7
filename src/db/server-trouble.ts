/** What a database server says when it cannot serve, by SQLSTATE (PostgreSQL, Appendix A); the longest name wins. */
const TEXTS: Readonly<Record<string, string>> = {
  '25006': 'The database server is read-only. Connect to one that takes writes, or end its read-only mode.',
  '53100': 'The disk of the database server is full. Free some space there, then send this again.',
  '53200': 'The database server is out of memory. Try again in a moment.',
  '53300': 'The database server has no free connections. Raise its max_connections, or close other programs.',
  '57P': 'The database server is stopping or starting. Try again in a moment.',
  '58': 'The database server cannot read its files. Check its log and its disk.',
  XX001: 'The database is damaged on the server. Check its log and restore a backup.',
  XX002: 'An index of the database is damaged on the server. Check its log and rebuild the index (REINDEX).',
};

export function serverTrouble(code: unknown): string | undefined {
  if (typeof code !== 'string' || code.length !== 5) return undefined;
  return TEXTS[code] ?? TEXTS[code.slice(0, 3)] ?? TEXTS[code.slice(0, 2)];
}

import { createHash } from 'node:crypto';

/** A cached plan takes memory in each connection of the server. */
const MOST_NAMED = 100;
const MOST_SEEN = 1_000;
const LONGEST_CHARS = 8_000;
const NAME_CHARS = 32;

/** Which statements a connection plans once, by their text: docs/decisions/0025. */
export interface PlannedStatements {
  /** The name under which the server keeps the statement's plan; undefined if it is planned each time. */
  nameOf(sql: string): string | undefined;
  /** Whether an error says that the server lost a named statement, or cannot use its plan any more. */
  isLost(error: unknown): boolean;
}

export function createPlannedStatements(): PlannedStatements {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  let areKept = true;
  return {
    nameOf(sql) {
      if (!areKept) return undefined;
      const known = names.get(sql);
      if (known !== undefined) return known;
      if (names.size === MOST_NAMED || !hasOnePlan(sql)) return undefined;
      // What is asked only once is not worth a plan that is kept.
      if (!seen.has(sql)) {
        if (seen.size === MOST_SEEN) seen.clear();
        seen.add(sql);
        return undefined;
      }
      seen.delete(sql);
      // By its text alone: two processes behind one pooler must never mean different statements by one name.
      const name = `homeledger_${createHash('sha256').update(sql).digest('hex').slice(0, NAME_CHARS)}`;
      names.set(sql, name);
      return name;
    },
    isLost(error) {
      const { code, message } = error as { code?: unknown; message?: unknown };
      // Between us and the server is a pooler that does not know named statements.
      if (code === UNKNOWN_NAME || code === KNOWN_NAME) areKept = false;
      else if (code !== UNSUPPORTED || !String(message).includes('cached plan')) return false;
      return true;
    },
  };
}

const UNKNOWN_NAME = '26000';
const KNOWN_NAME = '42P05';
const UNSUPPORTED = '0A000';

/**
 * Parameters that are stored, listed, compared for equality, or hidden from the planner; what a range or a limit is
 * worth depends on its values.
 */
const EVEN_PARAMETERS =
  /(?<![<>])= \$\d+\b|\bunnest\(\$\d+\b(?:::[\w ]+\[\](?:, \$\d+::[\w ]+\[\])*)?|\bas materialized \(select (?:\$\d+::(?:text|bigint)(?:\[\])? as v\d+(?:, )?)+\)/g;
const PLANNED = /^\s*(?:select|with|insert|update|delete)\b/i;
/** How to read many rows depends on how many they are; planning is the smaller part of it. */
const ADDS_UP = /\bgroup by\b|\b(?:count|sum)\(/i;
const PLAIN_INSERT = /^\s*insert into "?\w+"? \([^()]*\) values /i;

/** Whether the best plan does not depend on the values of the parameters. */
function hasOnePlan(sql: string): boolean {
  if (sql.length > LONGEST_CHARS || !PLANNED.test(sql) || ADDS_UP.test(sql)) return false;
  return PLAIN_INSERT.test(sql) || !/\$\d/.test(sql.replaceAll(EVEN_PARAMETERS, ''));
}

import { nameKey } from '../../engines/matching/name-key.ts';
import { compareCodePoints } from '../../kernel/fold.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { REVIEW_REASONS } from './review.contract.ts';

export type Reason = (typeof REVIEW_REASONS)[number];

/** What says which kind a row is of. */
export interface NamedRow {
  amount_cents: number;
  /** Of a row without counterparty and merchant. */
  name: string;
  name_text_id: number;
  /** Texts are the same if they are so folded. */
  merchant_text_id: number | null;
  counterparty_id: string | null;
}

export interface WaitingRow extends NamedRow {
  id: string;
  reason: Reason;
  date: string;
  iso_currency_code: string | null;
  category_id: string | null;
}

/** Rows that one decision may serve (contract 80.2.1), newest first. */
export interface Group {
  key: string;
  /** What kind they are of, with their sign. */
  kind: string;
  rows: WaitingRow[];
}

/** Groups in the order in which they are shown. `rows` are newest first. */
export function groupWaiting(rows: readonly WaitingRow[]): Group[] {
  const kindOf = kinds();
  const together = new Map<string, { kind: string; rows: WaitingRow[] }>();
  for (const row of rows) {
    const kind = kindOf(row);
    const name = `${row.reason}\n${row.iso_currency_code}\n${row.category_id}\n${kind}`;
    const group = together.get(name);
    if (group) group.rows.push(row);
    else together.set(name, { kind, rows: [row] });
  }
  const groups: Group[] = [];
  for (const [name, group] of together) {
    for (let start = 0; start < group.rows.length; start += LIMITS.reviewGroupRows) {
      const part = group.rows.slice(start, start + LIMITS.reviewGroupRows);
      groups.push({ key: sha256Hex(`${start}\n${name}`).slice(0, KEY_CHARS), kind: group.kind, rows: part });
    }
  }
  return groups.sort(inOrder);
}

const KEY_CHARS = 24;

function inOrder(one: Group, other: Group): number {
  const [a, b] = [one.rows[0] as WaitingRow, other.rows[0] as WaitingRow];
  return (
    REVIEW_REASONS.indexOf(a.reason) - REVIEW_REASONS.indexOf(b.reason) ||
    other.rows.length - one.rows.length ||
    compareCodePoints(b.date, a.date) ||
    compareCodePoints(one.key, other.key)
  );
}

/** The kind of a row: its counterparty, else its merchant, else its name key; and its sign. */
export function kinds(): (row: NamedRow) => string {
  const keys = new Map<number, string>();
  const keyOf = ({ name_text_id: id, name }: NamedRow): string => {
    const known = keys.get(id);
    if (known !== undefined) return known;
    const key = nameKey(name);
    keys.set(id, key);
    return key;
  };
  return (row) => {
    const sign = isOut(row) ? 'out' : 'in';
    if (row.counterparty_id !== null) return `${sign} counterparty ${row.counterparty_id}`;
    if (row.merchant_text_id !== null) return `${sign} merchant ${row.merchant_text_id}`;
    return `${sign} name ${keyOf(row)}`;
  };
}

export function isOut({ amount_cents: cents }: Pick<NamedRow, 'amount_cents'>): boolean {
  return cents >= 0;
}

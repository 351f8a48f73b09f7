import type { Numbering } from './numbering.ts';

/** A row as the next day needs it, whatever the provider calls its fields. */
export interface PastRow {
  accountId: string;
  /** Positive is money out. */
  cents: number;
}

const PURCHASES = 3;
const LOOKED_AT = 200;
/** Rent is not paid once more because a day goes by. */
const DEAREST_CENTS = 20_000;

/** Some purchases like recent ones of the same bank, at other prices. Nothing when nothing was ever bought there. */
export function purchasesLike<Row extends PastRow>(rows: readonly Row[], numbering: Numbering): Row[] {
  const recent = rows.filter(({ cents }) => cents > 0 && cents <= DEAREST_CENTS).slice(-LOOKED_AT);
  if (recent.length === 0) return [];
  return Array.from({ length: PURCHASES }, () => {
    const like = recent[numbering.below(recent.length)] as Row;
    return { ...like, cents: Math.max(100, Math.round((like.cents * (80 + numbering.below(41))) / 100)) };
  });
}

/** What moves a balance: of what is owned money out takes away, to what is owed it adds. */
export function movedBalance(cents: number, moved: readonly PastRow[], isOwed: boolean): number {
  const sum = moved.reduce((total, row) => total + row.cents, 0);
  return isOwed ? cents + sum : cents - sum;
}

import { balanceLabel } from '../lexicon/balances.ts';
import { said } from '../text/cell-text.ts';
import type { EntryDraft } from './statement-fields.ts';
import type { StatementBalance } from './statement.ts';

type Label = Exclude<ReturnType<typeof balanceLabel>, Unsure>;
type Unsure = '' | 'bare' | 'turnover';

/**
 * The entries of a statement that state a balance instead of a movement: some banks write the balance of each day among
 * the transactions. All texts of such an entry are the label of a balance.
 */
export class BalanceEntries {
  readonly #found = new Map<number, Label>();
  #falls = 0;
  #rises = 0;
  #lastDate: string | null = null;
  #firstMovement = Infinity;
  #lastMovement = -1;
  #opening: number | null = null;
  #isSettled = false;

  /** Takes the entries in file order, each by its line or ordinal. */
  note(entry: number, texts: readonly string[], date: string | null): void {
    const label = labelOf(texts);
    if (label !== '') {
      this.#found.set(entry, label);
      return;
    }
    this.#firstMovement = Math.min(this.#firstMovement, entry);
    this.#lastMovement = entry;
    if (date === null) return;
    if (this.#lastDate !== null && date < this.#lastDate) this.#falls++;
    else if (this.#lastDate !== null && date > this.#lastDate) this.#rises++;
    this.#lastDate = date;
  }

  /** Why the entry is no transaction, once all are noted; null for one that is. The first balance of all opens. */
  reasonOf(entry: number): 'OPENING_BALANCE' | 'STATED_BALANCE' | null {
    this.#settle();
    if (!this.#found.has(entry)) return null;
    return entry === this.#opening ? 'OPENING_BALANCE' : 'STATED_BALANCE';
  }

  /** The balances before and after all movements, of the entries that `reasonOf` names. */
  balances(entries: Iterable<EntryDraft>): { opening: StatementBalance | null; closing: StatementBalance | null } {
    this.#settle();
    const last = this.#isNewestFirst() ? this.#before().at(0) : this.#after().at(-1);
    let opening: StatementBalance | null = null;
    let closing: StatementBalance | null = null;
    for (const { line, amount_cents: amount, date } of entries) {
      if (amount === null || this.#found.get(line) === 'apart') continue;
      if (line === this.#opening) opening = { date, cents: 0 - amount };
      else if (line === last) closing = { date, cents: 0 - amount };
    }
    return { opening, closing };
  }

  #settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const isNewestFirst = this.#isNewestFirst();
    const inTime = isNewestFirst ? this.#after().toReversed() : this.#before();
    this.#opening = inTime.find((entry) => this.#found.get(entry) === 'opening') ?? inTime[0] ?? null;
  }

  #before(): number[] {
    return [...this.#found.keys()].filter((entry) => entry < this.#firstMovement);
  }

  #after(): number[] {
    return [...this.#found.keys()].filter((entry) => entry > this.#lastMovement);
  }

  /** Where all movements are of one day, a label of its own tells the end from the beginning. */
  #isNewestFirst(): boolean {
    const opens = (entry: number): boolean => this.#found.get(entry) === 'opening';
    return (
      this.#falls > this.#rises ||
      (this.#falls === this.#rises && this.#after().some(opens) && !this.#before().some(opens))
    );
  }
}

function labelOf(written: readonly string[]): Label | '' {
  const labels = written.flatMap((text) => (said(text) === '' ? [] : [balanceLabel(said(text))]));
  const sure = labels.filter((label): label is Label => label !== '' && label !== 'bare' && label !== 'turnover');
  const [first] = sure;
  if (first === undefined || sure.length < labels.length) return '';
  return sure.includes('opening') ? 'opening' : first;
}

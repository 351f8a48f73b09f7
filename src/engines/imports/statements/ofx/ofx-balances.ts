import { balanceLabel } from '../../lexicon/balances.ts';
import { said } from '../../text/cell-text.ts';
import type { OfxValues } from './ofx-walk.ts';

const TEXTS = ['NAME', 'EXTDNAME', 'PAYEE.NAME', 'PAYEE', 'MEMO'] as const;

/**
 * The entries of a statement that state a balance instead of a movement: some banks write the balance of each day among
 * the transactions. All texts of such an entry are the label of a balance.
 */
export class OfxBalances {
  readonly #openings = new Set<number>();
  readonly #others = new Set<number>();
  #firstMovement = Infinity;
  #lastMovement = -1;

  note(entry: number, values: OfxValues): void {
    const label = labelOf(values);
    if (label === 'opening') {
      this.#openings.add(entry);
    } else if (label !== '') {
      this.#others.add(entry);
    } else {
      this.#firstMovement = Math.min(this.#firstMovement, entry);
      this.#lastMovement = entry;
    }
  }

  /**
   * Why the entry is no transaction; null for one that is. An opening balance comes before all movements, or after them
   * in a file with the newest first, unless the statement has other balances too.
   */
  reasonOf(entry: number): 'OPENING_BALANCE' | 'NOT_A_ROW' | null {
    if (this.#others.has(entry)) return 'NOT_A_ROW';
    if (!this.#openings.has(entry)) return null;
    const isAtEnd = entry < this.#firstMovement || entry > this.#lastMovement;
    return isAtEnd || this.#others.size > 0 ? 'OPENING_BALANCE' : null;
  }
}

function labelOf(values: OfxValues): '' | 'opening' | 'other' {
  const texts = TEXTS.map((name) => said(values.get(name) ?? '')).filter((text) => text !== '');
  const labels = new Set(texts.map(balanceLabel));
  if (labels.size === 0 || labels.has('') || labels.has('bare')) return '';
  return labels.has('opening') ? 'opening' : 'other';
}

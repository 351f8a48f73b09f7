import { normalisedText } from './cell-text.ts';
import { IN, OUT } from './words.ts';
import type { DirectionWords } from './words.ts';

const OUT_TYPE =
  /\b(?:purchase|withdrawal|debit|atm|fee|card payment|standing order|lastschrift|kartenzahlung|abhebung|auszahlung|dauerauftrag|belastung|gebuhr|entgelt|prelevement|retrait|achat|cargo|compra|retiro|adeudo|prelievo|addebito|incasso|betaalautomaat|geldautomaat|geldopname|kortkop|uttag|kortkob|varekjop|platnosc|wyplata|oplata|odchozi|vyber)\b/;
const IN_TYPE =
  /\b(?:deposit|credit|refund|cashback|salary|payment received|gutschrift|einzahlung|gehalt|virement recu|abono|ingreso|deposito|accredito|storting|ontvangen|insattning|indbetaling|wplyw|wplata|przychodzacy|prichozi|vklad)\b/;
const CARD = /\b(?:credit|debit) card\b/g;
const REVERSAL =
  /revers|storno|correct|adjust|ruck|annul|cancel|chargeback|return|retour|rebate|waive|devoluc|rembours|rejet|impag|unpaid|zwrot/;
/** What says "credit" or "deposit" of money that goes out as well. */
const EITHER_WAY = /\bcredit transfer\b|\b(?:term|fixed|time|savings?) deposits?\b/g;

/**
 * The direction of every kind of movement that a column of types names, for amounts without a sign; undefined when
 * one of them could be either. What a shop calls a sale or a return depends on who tells it, so neither counts.
 */
export function directionOfTypes(types: Iterable<string>): DirectionWords | undefined {
  const directions = new Map<string, typeof OUT | typeof IN>();
  for (const type of types) {
    const folded = normalisedText(type);
    const plain = folded.replace(CARD, 'card').replace(EITHER_WAY, 'transfer');
    const isOut = OUT_TYPE.test(plain);
    if (isOut === IN_TYPE.test(plain) || REVERSAL.test(plain)) return undefined;
    directions.set(folded, isOut ? OUT : IN);
  }
  return directions.size > 0 ? directions : undefined;
}

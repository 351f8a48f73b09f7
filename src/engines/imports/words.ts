import { normalisedText } from './cell-text.ts';

export const OUT = 1;
export const IN = 2;

const PAIRS: readonly (readonly [out: string, into: string])[] = [
  ['debit', 'credit'],
  ['dr', 'cr'],
  ['d', 'c'],
  ['out', 'in'],
  ['withdrawal', 'deposit'],
  ['money out', 'money in'],
  ['af', 'bij'],
  ['uit', 'in'],
  ['soll', 'haben'],
  ['s', 'h'],
  ['ausgang', 'eingang'],
  ['débit', 'crédit'],
  ['cargo', 'abono'],
  ['dare', 'avere'],
  ['-', '+'],
  ['outflow', 'inflow'],
  ['dbit', 'crdt'],
  ['db', 'cr'],
  ['paid out', 'paid in'],
  ['outgoing', 'incoming'],
  ['expense', 'income'],
  ['lastschrift', 'gutschrift'],
  ['débito', 'crédito'],
  ['kiadás', 'bevétel'],
  ['terhelés', 'jóváírás'],
  ['výdaj', 'příjem'],
  ['obciążenie', 'uznanie'],
  ['debet', 'kredit'],
  ['ut', 'in'],
  ['debit', 'kredit'],
  ['debet', 'credit'],
  ['uscita', 'entrata'],
  ['egreso', 'ingreso'],
  ['saída', 'entrada'],
  ['支出', '收入'],
  ['출금', '입금'],
  ['出金', '入金'],
  ['расход', 'приход'],
  ['d', 'k'],
  ['o', 'i'],
  ['u', 'i'],
  ['ausgehend', 'eingehend'],
  ['ausgabe', 'einnahme'],
  ['belastung', 'gutschrift'],
  ['dépense', 'recette'],
  ['sortie', 'entrée'],
  ['addebito', 'accredito'],
  ['gasto', 'ingreso'],
  ['sent', 'received'],
  ['withdraw', 'deposit'],
  ['debited', 'credited'],
  ['minus', 'plus'],
  ['borç', 'alacak'],
  ['дебет', 'кредит'],
  ['списание', 'зачисление'],
  ['借', '贷'],
];

/** Single letters that mean many things: directions only in a column that is named so, or has no name. */
const LOOSE_LETTERS = new Set(['k', 'o', 'u']);

export function isLoosePair(words: DirectionWords): boolean {
  return [...words.keys()].some((word) => LOOSE_LETTERS.has(word));
}

export type DirectionWords = ReadonlyMap<string, typeof OUT | typeof IN>;

/** The direction pair that holds every one of these words; undefined when none does. */
export function directionPair(words: Iterable<string>): DirectionWords | undefined {
  const folded = [...words].map(normalisedText);
  if (folded.length === 0) return undefined;
  for (const [out, into] of PAIRS) {
    const pair = directionWords([out], [into]);
    if (folded.every((word) => pair.has(word))) return pair;
  }
  return undefined;
}

/** Every pair at once, for a column that names the direction and holds a few foreign words. */
export function anyDirectionWord(word: string): 0 | typeof OUT | typeof IN {
  const folded = normalisedText(word);
  for (const [out, into] of PAIRS) {
    if (folded === normalisedText(out)) return OUT;
    if (folded === normalisedText(into)) return IN;
  }
  return 0;
}

export function directionWords(out: readonly string[], into: readonly string[]): DirectionWords {
  const words = new Map<string, typeof OUT | typeof IN>();
  for (const word of into) words.set(normalisedText(word), IN);
  for (const word of out) words.set(normalisedText(word), OUT);
  return words;
}

export const POSTED = 0;
export const PENDING = 1;
export const IGNORED = 2;
export const UNKNOWN_STATUS = 3;

const STATUS = new Map<string, number>();
const learn = (words: string, status: number): void => {
  for (const word of words.split('|')) STATUS.set(normalisedText(word), status);
};
learn(
  'posted|cleared|uncleared|reconciled|completed|complete|booked|settled|gebucht|umsatz gebucht|geboekt|comptabilisé|contabilizado|executed|könyvelt|zaúčtováno|zaksięgowana|bokfört|bokført|bogført|ok|udført|utförd|genomförd|utført|terminé|abgeschlossen|completado|completada|contabilizzato|eseguito|completato|executado|concluído|交易成功|支付成功|已存入零钱|выполнено|transaction complete|succeeded|success|successful|approved|captured|genehmigt|ausgeführt|bezahlt|aprobado|aprobada|aprovado|efectuado|realizada|réalisé|exécuté|zrealizowana|vykonaná|processed|done',
  POSTED,
);
learn(
  'pending|authorised|authorized|authorization|hold|processing|in progress|vorgemerkt|umsatz vorgemerkt|gereserveerd|en attente|pendiente|reserviert|függőben|čekající|oczekująca|reserveret|reserverad|reservert|offen|venter|väntande|ausstehend|en cours|pendente|in sospeso|in attesa|non contabilizzato|in behandeling|varaus|ожидает',
  PENDING,
);
learn(
  'declined|failed|cancelled|canceled|reverted|reversed|denied|expired|voided|交易关闭|отклонено|annulé|refusé|storniert|rechazado',
  IGNORED,
);

/** The class of a bank's status word (36.5.11). An empty cell is posted. */
export function statusOf(word: string, isWise: boolean): number {
  const folded = normalisedText(word);
  if (folded === '') return POSTED;
  if (isWise && folded === 'refunded') return IGNORED;
  return STATUS.get(folded) ?? UNKNOWN_STATUS;
}

const TYPE_OUT = /\b(?:sale|purchase|fee|withdrawal|debit|atm|pos|check|card payment)\b/;
const TYPE_IN = /\b(?:payment received|return|refund|deposit|credit|cashback|daily cash)\b/;
const TYPE_PAYMENT = /\bpayment\b/;
const TEXT_OUT =
  /\b(?:purchase|card purchase|atm withdrawal|pos|kartenzahlung|kortköp|paiement par carte|achat cb|pago con tarjeta|compra no d[ée]bito|lastschrift|dauerauftrag|pr[ée]l[èe]vement|geldautomaat|betaalautomaat|pix enviado|p[łl]atno[śs][ćc] kart[ąa])\b/i;
const TEXT_IN =
  /\b(?:payroll|salary|direct deposit|lohn|gehalt|salaris|payment thank you|automatic payment|salaire|stipendio|n[óo]mina|sal[áa]rio|palkka|lön|lønn?|wynagrodzenie|mzda|munkab[ée]r|pagamento recebido|gutschrift|payment received|autopay (?:payment|pymt)|thank you for your payment|payment - thank you|pix recebido|transfer[êe]ncia (?:recebida|recibida)|bonifico ricevuto|vir(?:ement)? re[çc]u|paiement (?:merci|re[çc]u)|pago recibido|gracias por su pago)\b/i;
/** Taken back, a movement goes the other way. */
const TEXT_REVERSAL = /storn|r(?:ü|ue)ck|retoure|revers|annul|extorn|cancel|chargeback/i;

/** What a bank's type word says about the direction: OUT, IN or 0. */
export function typeDirection(text: string, isCredit: boolean): 0 | typeof OUT | typeof IN {
  const folded = normalisedText(text);
  const out = TYPE_OUT.test(folded);
  const into = TYPE_IN.test(folded) || (isCredit && !out && TYPE_PAYMENT.test(folded));
  if (out === into) return anyDirectionWord(text);
  return out ? OUT : IN;
}

/** What a description says about the direction: OUT, IN or 0. */
export function textDirection(text: string): 0 | typeof OUT | typeof IN {
  const out = TEXT_OUT.test(text);
  const into = TEXT_IN.test(text);
  if (out === into || TEXT_REVERSAL.test(text)) return 0;
  return out ? OUT : IN;
}

const OPENING =
  /\b(?:opening|beginning|starting|previous|brought forward)\b[^\n]{0,20}\bbalance\b|\bbalance brought f(?:orward|wd)\b|\bbalance b\/?f(?:wd)?\b|anfangssaldo|eroffnungssaldo|alter kontostand|anfangsbestand|startsaldo|beginsaldo|openingssaldo|vorig saldo|solde (?:initial|d'ouverture|precedent|anterieur)|ancien solde|saldo (?:inicial|anterior|de apertura|iniziale|precedente|d'apertura|poczatkowe)|(?:ing(?:a|å)ende|inng(?:a|å)ende|indg(?:a|å)ende|primo)\s?saldo|alkusaldo|algsaldo|likutis pradziai|sakuma atlikums|pocatecni zustatek|pociatocny zostatok|nyito egyenleg|pocetno stanje|sold initial|(?:acilis|devir) bakiyesi|(?:входящии|входящий) остаток|остаток на начало|期初余额/;

const CLOSING =
  /^(?:(?:closing|ending|final|end|new|carried forward) balance|balance (?:carried forward|carried fwd|c\/?f(?:wd)?)|endsaldo|schlusssaldo|endbestand|neuer (?:kontostand|saldo)|abschlusssaldo|eindsaldo|nieuw saldo|nouveau solde|solde (?:final|de cloture|de fin)|saldo (?:final|finale|do dia|atual|actual|nuevo|de cierre|di chiusura|koncowe)|slutsaldo|utgaende saldo|konecny zustatek|zaro egyenleg|(?:utg(?:a|å)ende|udg(?:a|å)ende|ultimo)\s?saldo|loppusaldo|loppsaldo|likutis pabaigai|beigu atlikums|konecny zostatok|(?:zavrsno|konacno|koncno) stanje|sold final|kapanis bakiyesi|(?:исходящии|исходящий) остаток|остаток на конец|期末余额)[\s:.\-/\d]*$/;
/** What is also an ordinary text: a label only where another row is one for certain, or where its letters are spaced. */
const BARE = /^(?:turnover|apyvarta|apgrozijums|kaive|saldo|balance|kontostand|solde)[\s:.\-/\d]*$/;
const BALANCE_WORD =
  /balance|bestand|kontostand|sald|solde|zůstatek|zustatek|egyenleg|likutis|atlikums|zostat|stanje|sold|bakiye|остат|余额|turnover|apyvarta|apgro|käive/i;
const LONGEST_LABEL = 60;
const SUM =
  /^(?:grand )?(?:totals?|sum|summe|gesamt|gesamtsumme|totaal|totale|total general|suma|summa|razem|sold[eo]|saldo|balance)[\s:.]*$/;

/** True for a text that is nothing but the label of a sum. */
export function isSumLabel(text: string): boolean {
  return text.length <= LONGEST_LABEL && SUM.test(normalisedText(text));
}

/** What a text that is nothing but the label of a balance stands for: the one at the start, at the end, or none. */
export function balanceLabel(text: string): '' | 'opening' | 'closing' | 'bare' {
  if (text.length > LONGEST_LABEL) return '';
  const isSpaced = /^(?:\p{L} ){2,20}\p{L}$/u.test(text);
  const label = isSpaced ? text.replaceAll(' ', '') : text;
  if (!BALANCE_WORD.test(label)) return '';
  const folded = normalisedText(label);
  if (CLOSING.test(folded)) return 'closing';
  if (BARE.test(folded)) return isSpaced ? 'closing' : 'bare';
  const found = OPENING.exec(folded);
  return found?.index === 0 && /^[\s:.\-/\d]*$/.test(folded.slice(found[0].length)) ? 'opening' : '';
}

/** True for the text of a record that only states the balance at the start. */
export function isOpeningText(text: string): boolean {
  return text.length <= 200 && OPENING.test(normalisedText(text));
}

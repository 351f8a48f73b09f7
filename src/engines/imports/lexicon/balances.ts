import { normalisedText } from '../text/cell-text.ts';
import { wordsOf } from './lexicon.ts';
import type { Lang } from './lexicon.ts';
import { monthOf } from './month-names.ts';

const LONGEST_LABEL = 60;
const LONGEST_TEXT = 200;

/** What a record states instead of a movement: an opening or closing balance, a sum, or a bare word for one of them. */
type BalanceMeaning = 'opening' | 'closing' | 'bare' | 'sum';

/** Labels of balances, separated by `|`; `…` stands for up to three words. */
export const BALANCE_LABELS: readonly (readonly [lang: Lang, means: BalanceMeaning, texts: string])[] = [
  ['en', 'opening', 'opening … balance|beginning … balance|starting … balance|previous … balance|initial balance'],
  ['en', 'opening', 'balance brought forward|balance brought fwd|brought forward|balance b/f|balance b/fwd|balance bf'],
  ['en', 'opening', 'balance bfwd|bal b/f|balance forward|start balance|prior balance|old balance|opening bal'],
  ['en', 'opening', 'balance from last statement|balance at last statement|last statement balance'],
  ['de', 'opening', 'anfangssaldo|eröffnungssaldo|alter kontostand|alter saldo|anfangsbestand|anfangsstand|startsaldo'],
  ['de', 'opening', 'saldovortrag|saldo vortrag|kontovortrag|vortragssaldo|saldoübertrag|saldo vormonat'],
  [
    'de',
    'opening',
    'saldo letzter auszug|saldo letzter kontoauszug|übertrag vormonat|kontostand alt|anfangskontostand',
  ],
  ['nl', 'opening', 'beginsaldo|startsaldo|openingssaldo|vorig saldo|oud saldo|saldo vorig afschrift|openingsbalans'],
  ['fr', 'opening', "solde initial|solde d'ouverture|solde précédent|solde antérieur|ancien solde|solde de départ"],
  ['fr', 'opening', 'solde de début|solde en début|solde reporté|report à nouveau|report du solde|report de solde'],
  ['es', 'opening', 'saldo inicial|saldo anterior|saldo de apertura|saldo previo|saldo precedente|saldo al inicio'],
  ['it', 'opening', "saldo iniziale|saldo precedente|saldo d'apertura|saldo di apertura|saldo contabile iniziale"],
  ['it', 'opening', 'saldo liquido iniziale|saldo riportato|riporto saldo|riporto'],
  ['pt', 'opening', 'saldo inicial|saldo anterior|saldo de abertura|saldo transportado|saldo contabilístico inicial'],
  ['pl', 'opening', 'saldo początkowe|saldo otwarcia|saldo poprzednie|bilans otwarcia|saldo na początek'],
  ['sv', 'opening', 'ingående saldo|ingående balans|ingångssaldo'],
  ['no', 'opening', 'inngående saldo|inngående balanse|saldo fra forrige'],
  ['da', 'opening', 'indgående saldo|primo saldo|primosaldo|saldo primo|overført saldo'],
  ['fi', 'opening', 'alkusaldo|edellinen saldo|avaava saldo'],
  ['et', 'opening', 'algsaldo'],
  ['lt', 'opening', 'likutis pradžiai|pradinis likutis|likutis laikotarpio pradžiai'],
  ['lv', 'opening', 'sākuma atlikums'],
  ['cs', 'opening', 'počáteční zůstatek|počáteční stav|předchozí zůstatek'],
  ['sk', 'opening', 'počiatočný zostatok|počiatočný stav|predchádzajúci zostatok'],
  ['hu', 'opening', 'nyitó egyenleg|nyitóegyenleg|előző egyenleg|induló egyenleg'],
  ['hr', 'opening', 'početno stanje|prethodno stanje|prijenos stanja'],
  ['sl', 'opening', 'začetno stanje|prejšnje stanje'],
  ['ro', 'opening', 'sold inițial|sold precedent|sold anterior'],
  ['tr', 'opening', 'açılış bakiyesi|devir bakiyesi|devreden bakiye|önceki bakiye'],
  ['ru', 'opening', 'входящий остаток|остаток на начало|начальный остаток|входящее сальдо|начальное сальдо'],
  ['uk', 'opening', 'вхідний залишок|залишок на початок|початковий залишок'],
  ['el', 'opening', 'αρχικό υπόλοιπο|προηγούμενο υπόλοιπο|υπόλοιπο έναρξης|εκ μεταφοράς'],
  ['he', 'opening', 'יתרת פתיחה|יתרה קודמת'],
  ['ar', 'opening', 'الرصيد الافتتاحي|رصيد افتتاحي|الرصيد السابق'],
  ['zh', 'opening', '期初余额|上期余额|承前余额|期初餘額'],
  ['ja', 'opening', '前月繰越|前月繰越残高|繰越残高|繰越|前回残高'],
  ['ko', 'opening', '이월|전월이월|이월잔액|전월잔액|기초잔액'],
  ['id', 'opening', 'saldo awal|saldo lalu|baki awal'],
  ['vi', 'opening', 'số dư đầu kỳ|số dư đầu'],
  ['th', 'opening', 'ยอดยกมา'],

  ['en', 'closing', 'closing balance|ending balance|final balance|end balance|carried forward balance'],
  ['en', 'closing', 'balance carried forward|balance carried fwd|balance c/f|balance c/fwd|balance cf|balance cfwd'],
  ['de', 'closing', 'endsaldo|schlusssaldo|endbestand|neuer kontostand|neuer saldo|abschlusssaldo|saldo neu'],
  ['nl', 'closing', 'eindsaldo|nieuw saldo|slotsaldo'],
  ['fr', 'closing', 'nouveau solde|solde final|solde de clôture|solde de fin|solde à reporter'],
  ['es', 'closing', 'saldo final|saldo actual|saldo nuevo|saldo de cierre'],
  ['it', 'closing', 'saldo finale|saldo attuale|saldo di chiusura|saldo contabile finale|saldo liquido finale'],
  ['pt', 'closing', 'saldo final|saldo do dia|saldo atual|saldo de fecho|saldo final do dia|saldo parcial'],
  ['pt', 'closing', 'saldo total disponível dia|saldo total disponível do dia|saldo aplic aut mais'],
  ['pl', 'closing', 'saldo końcowe|saldo zamknięcia'],
  ['sv', 'closing', 'slutsaldo|utgående saldo|utgående balans'],
  ['no', 'closing', 'utgående saldo|sluttsaldo'],
  ['da', 'closing', 'udgående saldo|ultimo saldo|ultimosaldo|slutsaldo|saldo ultimo'],
  ['fi', 'closing', 'loppusaldo'],
  ['et', 'closing', 'lõppsaldo'],
  ['lt', 'closing', 'likutis pabaigai|galutinis likutis'],
  ['lv', 'closing', 'beigu atlikums'],
  ['cs', 'closing', 'konečný zůstatek|konečný stav'],
  ['sk', 'closing', 'konečný zostatok|konečný stav'],
  ['hu', 'closing', 'záró egyenleg|záróegyenleg'],
  ['hr', 'closing', 'završno stanje|konačno stanje'],
  ['sl', 'closing', 'končno stanje'],
  ['ro', 'closing', 'sold final'],
  ['tr', 'closing', 'kapanış bakiyesi'],
  ['ru', 'closing', 'исходящий остаток|остаток на конец|конечный остаток'],
  ['uk', 'closing', 'вихідний залишок|залишок на кінець'],
  ['zh', 'closing', '期末余额'],
  ['ja', 'closing', '次月繰越|次回繰越'],
  ['id', 'closing', 'saldo akhir'],

  // Words that are also ordinary texts: labels only if another row certainly is one, or if their letters are spaced.
  ['any', 'bare', 'turnover|apyvarta|apgrozījums|käive|saldo|balance|kontostand|solde|new balance'],

  ['any', 'sum', 'total|totals|totalt|grand total|grand totals|sum|grand sum|summe|gesamt|gesamtsumme|totaal|totale'],
  ['any', 'sum', 'total general|suma|summa|razem|sold|solde|saldo|balance'],
];

/** Words between a label and its date, as in `Saldo al 31.12.2024` or `Anfangssaldo per 1. Januar`. */
const DATE_LINKS: ReadonlySet<string> = new Set(
  'al|au|vom|per|at|on|as|of|am|op|den|der|del|de|dia|día|le|a|el|zum|van|ke|k|dni|dzien|from|for'.split('|'),
);

/** Words that `…` may stand for. */
const GAP = 3;

interface Label {
  readonly head: readonly string[];
  /** The words behind `…`; empty without one. */
  readonly tail: readonly string[];
  readonly means: BalanceMeaning;
}

const BY_FIRST = new Map<string, Label[]>();
for (const [, means, texts] of BALANCE_LABELS) {
  for (const text of texts.split('|')) {
    const [head = [], tail = []] = text.split('…').map((part) => wordsOf(normalisedText(part)));
    const first = head[0] ?? '';
    BY_FIRST.set(first, [...(BY_FIRST.get(first) ?? []), { head, tail, means }]);
  }
}

/**
 * What a text that is nothing but the label of a balance stands for: the one at the start, at the end, of a `dated` day
 * (`Saldo al 31.12.2024`), or a word that may be something else as well.
 */
export function balanceLabel(text: string): '' | 'opening' | 'closing' | 'dated' | 'bare' {
  if (text.length > LONGEST_LABEL) return '';
  const isSpaced = /^(?:\p{L} ){2,20}\p{L}$/u.test(text);
  const words = wordsOf(normalisedText(isSpaced ? text.replaceAll(' ', '') : text));
  const means = meaningsOfWhole(words, isPartOfDate);
  if (means.has('opening')) return 'opening';
  if (means.has('closing')) return 'closing';
  if (means.has('bare') && words.some((word) => DATE_LINKS.has(word)) && words.some(isDigits)) return 'dated';
  if (!meaningsOfWhole(words, isDigits).has('bare')) return '';
  return isSpaced ? 'closing' : 'bare';
}

/** True for the text of a record that only states the balance at the start. */
export function isOpeningText(text: string): boolean {
  if (text.length > LONGEST_TEXT) return false;
  const words = wordsOf(normalisedText(text));
  return words.some((_, at) => labelsAt(words, at).some(({ label }) => label.means === 'opening'));
}

/** True for a text that is only the label of a sum. */
export function isSumLabel(text: string): boolean {
  if (text.length > LONGEST_LABEL) return false;
  const words = wordsOf(normalisedText(text));
  return labelsAt(words, 0).some(({ label, end }) => label.means === 'sum' && end === words.length);
}

/** True for a text that begins with the label of a sum, such as `Total pending`. */
export function beginsWithSum(text: string): boolean {
  if (text.length > LONGEST_LABEL) return false;
  return labelsAt(wordsOf(normalisedText(text)), 0).some(({ label }) => label.means === 'sum');
}

/** The meanings of labels that are followed by nothing but allowed words, such as a date. */
function meaningsOfWhole(words: readonly string[], may: (word: string) => boolean): ReadonlySet<BalanceMeaning> {
  const whole = labelsAt(words, 0).filter(({ end }) => words.slice(end).every(may));
  return new Set(whole.map(({ label }) => label.means));
}

function isPartOfDate(word: string): boolean {
  return isDigits(word) || DATE_LINKS.has(word) || monthOf(word) > 0;
}

function isDigits(word: string): boolean {
  return /^\d+$/.test(word);
}

function labelsAt(words: readonly string[], at: number): { label: Label; end: number }[] {
  const found: { label: Label; end: number }[] = [];
  for (const label of BY_FIRST.get(words[at] ?? '') ?? []) {
    const { head, tail } = label;
    if (!head.every((word, i) => words[at + i] === word)) continue;
    const after = at + head.length;
    const gaps = tail.length === 0 ? [0] : Array.from({ length: GAP + 1 }, (_, gap) => gap);
    const gap = gaps.find((skipped) => tail.every((word, i) => words[after + skipped + i] === word));
    if (gap !== undefined) found.push({ label, end: after + gap + tail.length });
  }
  return found;
}

import { normalisedText } from '../text/cell-text.ts';
import { currencyOf } from './currency.ts';
import { wordsOf } from './lexicon.ts';
import type { Lang } from './lexicon.ts';
import { monthOf } from './month-names.ts';
import { meaningsOf } from './synonyms.ts';

const LONGEST_LABEL = 60;
const LONGEST_TEXT = 200;

/**
 * What a record states instead of a movement: an opening or closing balance, one that more than the rows of the account
 * makes up (`apart`), what was moved, a sum, or a bare word for one of them.
 */
type BalanceMeaning = 'opening' | 'closing' | 'apart' | 'turnover' | 'bare' | 'sum';

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

  ['en', 'closing', 'current balance|daily balance|ledger balance|statement balance|day end balance|closing bal'],
  [
    'en',
    'closing',
    'end of day balance|balance at end of day|balance for the day|current account balance|account balance',
  ],
  ['de', 'closing', 'aktueller saldo|aktueller kontostand|tagessaldo|tagesendsaldo|tagesabschlusssaldo|schlussstand'],
  ['de', 'closing', 'endkontostand|kontostand neu|saldo aktuell|saldo am tagesende|buchungssaldo'],
  ['nl', 'closing', 'huidig saldo|actueel saldo|dagsaldo|saldo einde dag|boeksaldo'],
  [
    'fr',
    'closing',
    'solde actuel|solde du jour|solde journalier|solde en fin de journée|solde fin de journée|solde comptable',
  ],
  ['fr', 'closing', 'solde créditeur|solde débiteur|solde en fin de période|solde fin de période'],
  ['es', 'closing', 'saldo del día|saldo diario|saldo al cierre|saldo contable|saldo al final del día|saldo en cuenta'],
  [
    'it',
    'closing',
    'saldo del giorno|saldo giornaliero|saldo corrente|saldo di fine giornata|saldo contabile|saldo di fine periodo',
  ],
  [
    'pt',
    'closing',
    'saldo diário|saldo contabilístico|saldo contábil|saldo em conta|saldo em conta corrente|saldo na data',
  ],
  ['pl', 'closing', 'saldo bieżące|saldo dzienne|saldo na koniec|saldo na koniec dnia|saldo księgowe'],
  ['sv', 'closing', 'aktuellt saldo|dagssaldo|dagens saldo|bokfört saldo'],
  ['no', 'closing', 'gjeldende saldo|dagens saldo|bokført saldo'],
  ['da', 'closing', 'aktuel saldo|dagens saldo|bogført saldo'],
  ['fi', 'closing', 'nykyinen saldo|päivän saldo|kirjanpitosaldo'],
  ['cs', 'closing', 'aktuální zůstatek|denní zůstatek|účetní zůstatek'],
  ['sk', 'closing', 'aktuálny zostatok|denný zostatok|účtovný zostatok'],
  ['hu', 'closing', 'aktuális egyenleg|napi egyenleg|könyvelt egyenleg'],
  ['ro', 'closing', 'sold curent|sold zilnic|sold contabil'],
  ['tr', 'closing', 'güncel bakiye|günlük bakiye|gün sonu bakiyesi|son bakiye'],
  ['ru', 'closing', 'исходящее сальдо|конечное сальдо|текущий остаток|остаток на конец дня|текущий баланс'],
  ['uk', 'closing', 'вихідне сальдо|поточний залишок'],
  ['el', 'closing', 'τελικό υπόλοιπο|τρέχον υπόλοιπο|υπόλοιπο λήξης|εις μεταφορά'],
  ['he', 'closing', 'יתרת סגירה|יתרה נוכחית|יתרה יומית|יתרה סופית'],
  ['ar', 'closing', 'الرصيد الختامي|رصيد ختامي|الرصيد الحالي|رصيد الإقفال'],
  ['zh', 'closing', '期末餘額|当前余额|當前餘額|日终余额|账户余额'],
  ['ja', 'closing', '現在残高|次期繰越|当日残高|期末残高'],
  ['ko', 'closing', '차월이월|현재잔액|기말잔액'],
  ['vi', 'closing', 'số dư cuối kỳ|số dư cuối|số dư hiện tại'],
  ['th', 'closing', 'ยอดยกไป|ยอดคงเหลือ'],

  ['en', 'apart', 'available balance|available funds|balance available|available credit|spending power'],
  ['de', 'apart', 'verfügbarer saldo|verfügbarer betrag|verfügbarer kontostand|verfügbares guthaben'],
  ['nl', 'apart', 'beschikbaar saldo|bestedingsruimte'],
  ['fr', 'apart', 'solde disponible|montant disponible|solde prévisionnel|solde à venir'],
  ['es', 'apart', 'saldo disponible'],
  ['it', 'apart', 'saldo disponibile|disponibilità'],
  ['pt', 'apart', 'saldo disponível|saldo total disponível dia|saldo total disponível do dia|saldo aplic aut mais'],
  ['pt', 'apart', 'saldo total disponível|saldo bloqueado|limite disponível'],
  ['pl', 'apart', 'saldo dostępne|dostępne środki'],
  ['sv', 'apart', 'disponibelt saldo|tillgängligt saldo|disponibelt belopp'],
  ['da', 'apart', 'disponibel saldo|disponibelt beløb'],
  ['no', 'apart', 'disponibel saldo|disponibelt beløp'],
  ['fi', 'apart', 'käytettävissä oleva saldo|käytettävissä'],
  ['cs', 'apart', 'disponibilní zůstatek|použitelný zůstatek'],
  ['sk', 'apart', 'disponibilný zostatok'],
  ['hu', 'apart', 'rendelkezésre álló egyenleg|felhasználható egyenleg'],
  ['ro', 'apart', 'sold disponibil'],
  ['tr', 'apart', 'kullanılabilir bakiye|kullanılabilir limit'],
  ['ru', 'apart', 'доступный остаток|доступный баланс'],
  ['he', 'apart', 'יתרה זמינה'],
  ['ar', 'apart', 'الرصيد المتاح'],
  ['zh', 'apart', '可用余额|可用餘額'],

  // Words that are also ordinary texts: labels only if another row certainly is one, or if their letters are spaced.
  ['any', 'turnover', 'turnover|apyvarta|apgrozījums|käive'],
  ['any', 'bare', 'saldo|balance|kontostand|solde|new balance'],

  ['any', 'sum', 'total|totals|totalt|grand total|grand totals|sum|grand sum|summe|gesamt|gesamtsumme|totaal|totale'],
  ['any', 'sum', 'total general|suma|summa|razem|sold|solde|saldo|balance'],
  ['any', 'sum', 'subtotal|sub total|sous total|total partiel|zwischensumme|endsumme|gesamtbetrag|subtotaal|subtotale'],
  [
    'any',
    'sum',
    'total geral|total del mes|łącznie|ogółem|podsumowanie|celkem|spolu|összesen|mindösszesen|toplam|genel toplam',
  ],
  [
    'any',
    'sum',
    'yhteensä|i alt|ialt|sammanlagt|sammenlagt|kokku|kopā|iš viso|ukupno|skupaj|tổng|tổng cộng|jumlah|รวม',
  ],
  ['any', 'sum', 'итого|итог|всего|разом|усього|общо|σύνολο|γενικό σύνολο|סה"כ|סך הכל|סהכ|المجموع|الإجمالي|اجمالي'],
  ['any', 'sum', '合計|総計|小計|合计|总计|小计|總計|計|합계|총계|소계|총합계'],
];

/** Words between a label and its date, as in `Saldo al 31.12.2024` or `Anfangssaldo per 1. Januar`. */
const DATE_LINKS: ReadonlySet<string> = new Set(
  'al|au|vom|per|at|on|as|of|am|op|den|der|del|de|dia|día|le|a|el|zum|van|ke|k|dni|dzien|from|for|in|im|za|за|на|по'.split(
    '|',
  ),
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

/** The first letters of a text: most texts begin like no label of a sum. */
function beginningOf(text: string): string {
  return text.trimStart().slice(0, 2).toLowerCase();
}

const SUM_BEGINNINGS = new Set(
  BALANCE_LABELS.flatMap(([, means, texts]) => (means === 'sum' ? texts.split('|').map(beginningOf) : [])),
);

/**
 * What a text that is nothing but the label of a balance stands for: the one at the start, at the end, at the end but not
 * of the rows alone, of a `dated` day (`Saldo al 31.12.2024`), or words that may be something else as well.
 */
export function balanceLabel(text: string): '' | 'opening' | 'closing' | 'apart' | 'dated' | 'turnover' | 'bare' {
  if (text.length > LONGEST_LABEL) return '';
  const isSpaced = /^(?:\p{L} ){2,20}\p{L}$/u.test(text);
  const words = wordsOf(normalisedText(isSpaced ? text.replaceAll(' ', '') : text));
  const means = meaningsOfWhole(words, isPartOfDate);
  if (means.has('opening')) return 'opening';
  if (means.has('closing')) return 'closing';
  if (means.has('apart')) return 'apart';
  if (means.has('bare') && words.some((word) => DATE_LINKS.has(word)) && words.some(isDigits)) return 'dated';
  const alone = meaningsOfWhole(words, isDigits);
  if (alone.has('turnover')) return 'turnover';
  if (!alone.has('bare')) return '';
  return isSpaced ? 'closing' : 'bare';
}

/** True for the text of a record that only states the balance at the start. */
export function isOpeningText(text: string): boolean {
  if (text.length > LONGEST_TEXT) return false;
  const words = wordsOf(normalisedText(text));
  return words.some((_, at) => labelsAt(words, at).some(({ label }) => label.means === 'opening'));
}

/** True for a text that is only the label of a sum, alone or with a month, a year, a currency or the name of a column. */
export function isSumLabel(text: string, headers: readonly string[] = []): boolean {
  if (text.length > LONGEST_LABEL || !SUM_BEGINNINGS.has(beginningOf(text))) return false;
  const words = wordsOf(normalisedText(text));
  return labelsAt(words, 0).some(({ label, end }) => label.means === 'sum' && isDetail(words.slice(end), headers));
}

/** Whether the words behind `Total` only say of what. */
function isDetail(words: readonly string[], headers: readonly string[]): boolean {
  if (words.every((word) => isPartOfDate(word) || currencyOf(word) !== undefined)) return true;
  const meanings = meaningsOf(words.join(' '));
  if ((['amount', 'debit', 'credit', 'fee', 'balance'] as const).some((meaning) => meanings.has(meaning))) return true;
  return headers.some((name) => wordsOf(normalisedText(name)).join(' ') === words.join(' '));
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

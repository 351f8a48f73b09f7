import { isDigit } from '../text/char-codes.ts';
import { normalisedText } from '../text/cell-text.ts';

const POSTED = 0;
export const PENDING = 1;
export const IGNORED = 2;
export const UNKNOWN_STATUS = 3;

/** The words of each class. */
export const STATUS_WORDS: readonly (readonly [status: number, words: string])[] = [
  [
    POSTED,
    'posted|cleared|uncleared|not cleared|reconciled|completed|complete|booked|settled|gebucht|umsatz gebucht|geboekt|comptabilisé|contabilizado|executed|könyvelt|zaúčtováno|zaksięgowana|zaksięgowane|zaksięgowano|rozliczone|rozliczona|bokfört|bokført|bogført|ok|udført|utförd|genomförd|utført|terminé|abgeschlossen|completado|completada|contabilizzato|eseguito|completato|executado|concluído|交易成功|支付成功|已存入零钱|выполнено|transaction complete|succeeded|success|successful|approved|captured|genehmigt|ausgeführt|bezahlt|aprobado|aprobada|aprovado|efectuado|realizada|réalisé|exécuté|zrealizowana|vykonaná|processed|done|accepted|geaccepteerd|accepté|abgerechnet|sent|payment sent|payment received|payment deposited|transfer sent|transfer received|card charged|verarbeitet|исполнено|исполнен|обработано|обработана|elaborato|elaborata|traité|traitée',
  ],
  [
    PENDING,
    'pending|pend|authorised|authorized|authorization|hold|processing|in progress|vorgemerkt|umsatz vorgemerkt|gereserveerd|en attente|pendiente|reserviert|függőben|čekající|oczekująca|reserveret|reserverad|reservert|offen|venter|väntande|ausstehend|en cours|pendente|in sospeso|in attesa|non contabilizzato|in behandeling|varaus|ожидает|reserverat|autorizzato|en proceso|em processamento|processando|in elaborazione|beklemede|w toku|εκκρεμεί|ממתין|处理中|処理中|в обработке|в обробці|rezervováno',
  ],
  [
    IGNORED,
    'declined|failed|payment canceled|payment cancelled|payment declined|payment failed|transfer canceled|transfer failed|card declined|cancelled|canceled|reverted|reversed|denied|expired|voided|交易关闭|отклонено|annulé|refusé|storniert|rechazado|geweigerd|rückgängig gemacht|rückgängig|abgelehnt|fehlgeschlagen|revertido|revertida|cancelado|cancelada|denegado|rechazada|fallido|annulée|refusée|rejeté|échoué|annullato|rifiutato|stornato|geannuleerd|mislukt|recusado|recusada|odrzucona|anulowana|odrzucono|anulowano|avvisad|nekad|annulleret|afvist|avvist',
  ],
];

/** Stands beside money out and money in for a row that moved no money, such as an authorization. */
export const MERE_NOTE = 'memo';

/** What stands alone above the rows that are not booked yet. */
const PENDING_HEADINGS = new Set(
  [
    'pending transactions|pending activity|pending charges|pending payments|authorized transactions|authorised transactions',
    'vorgemerkte umsätze|vorgemerkte buchungen|offene umsätze|nicht gebuchte umsätze|opérations en attente|opérations à venir',
    'movimientos pendientes|operaciones pendientes|operazioni in attesa|movimenti non contabilizzati|movimentos pendentes',
    'reserverade belopp|reserverte beløp|reserverede beløb|katevaraukset|transakcje oczekujące|gereserveerde transacties',
  ]
    .join('|')
    .split('|')
    .map(normalisedText),
);

const STATUS = new Map(
  STATUS_WORDS.flatMap(([status, words]) => words.split('|').map((word) => [normalisedText(word), status] as const)),
);

/** Forms that status words take in a heading. */
const HEADING_WORDS: readonly (readonly [status: number, words: string])[] = [
  [
    PENDING,
    'vorgemerkte|vorgemerkten|vorgemerkter|offene|ausstehende|nicht gebuchte|ungebuchte|noch nicht gebuchte|reservierte|pendientes|en attente|à venir|non comptabilisées|in attesa|in sospeso|non contabilizzati|non contabilizzate|pendentes|oczekujące|nierozliczone|gereserveerde|nog te verwerken|reserverade|reserverte|reserverede|čekající|nezaúčtované|függő|в ожидании|ожидающие|unposted|unbooked|uncleared|not yet posted',
  ],
  [
    POSTED,
    'gebuchte|gebuchten|gebuchter|abgerechnete|getätigte|contabilizados|contabilizadas|realizados|comptabilisées|comptabilisés|passées|contabilizzati|contabilizzate|eseguiti|realizadas|efetuados|zaksięgowane|rozliczone|geboekte|verwerkte|bokförda|bokførte|bogførte|zaúčtované|könyvelt|проведенные|historical|previous|past|recent|all',
  ],
];
const TRANSACTION_WORDS = new Set(
  'transactions|transaction|activity|charges|payments|purchases|items|entries|umsätze|umsatz|buchungen|transaktionen|bewegungen|posten|opérations|operations|transacciones|movimientos|operaciones|operazioni|movimenti|transazioni|movimentos|transações|lançamentos|transakcje|operacje|transacties|boekingen|mutaties|transaktioner|transaksjoner|belopp|beløp|beløb|tapahtumat|transakce|tranzakciók|операции|транзакции'
    .split('|')
    .map(normalisedText),
);
const HEADINGS = new Map(
  HEADING_WORDS.flatMap(([status, words]) => words.split('|').map((word) => [normalisedText(word), status] as const)),
);

/** What a heading such as `Pending transactions` says of the rows below it: their status, or undefined for another text. */
export function headingStatus(text: string): number | undefined {
  const whole = normalisedText(text).replace(/[\s:]+$/, '');
  if (PENDING_HEADINGS.has(whole)) return PENDING;
  const words = whole.split(' ').filter((word) => !TRANSACTION_WORDS.has(word));
  const rest = words.join(' ');
  if (rest === '') return whole === '' ? undefined : POSTED;
  return HEADINGS.get(rest) ?? STATUS.get(rest);
}

const DATED_STATUS = /^([^\d\s][^\d]{2,23}?)[\s\p{P}]*(\d.*)$/su;

/** A date cell such as `PENDING - 09/29/2025` without the word that says that the row is not booked; null for another. */
export function behindPending(cell: string): string | null {
  if (isDigit(cell.charCodeAt(0))) return null;
  const [, word = '', date = ''] = DATED_STATUS.exec(cell.trim()) ?? [];
  return word !== '' && STATUS.get(normalisedText(word)) === PENDING ? date : null;
}

/** The class of a bank's status word (36.5.11). An empty cell is posted. */
export function statusOf(word: string, isWise: boolean): number {
  const folded = normalisedText(word);
  if (folded === '') return POSTED;
  if (isWise && folded === 'refunded') return IGNORED;
  return STATUS.get(folded) ?? UNKNOWN_STATUS;
}

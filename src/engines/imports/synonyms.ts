import { normalisedName } from './cell-text.ts';
import { currencyInName } from './currency.ts';

/** The fields a column may be mapped to (36.3.3). */
export const FIELDS = [
  'date',
  'authorized_date',
  'time',
  'amount',
  'debit',
  'credit',
  'direction',
  'fee',
  'currency',
  'balance',
  'description',
  'merchant_name',
  'payee',
  'payer',
  'category',
  'type',
  'status',
  'bank_id',
  'account',
  'check_number',
  'counterparty_account',
  'tags',
  'notes',
] as const;

export type Field = (typeof FIELDS)[number];

/** What a header name can mean; the four kinds of date are told apart before one becomes `date`. */
export type Meaning =
  | Exclude<Field, 'date' | 'authorized_date'>
  | 'posting_date'
  | 'transaction_date'
  | 'plain_date'
  | 'value_date';

const NAMES: readonly (readonly [Meaning, string])[] = [
  [
    'posting_date',
    'posting date|post date|posted date|posted|booking date|booked|clearing date|completed date|finished on|buchung|buchungstag|buchungsdatum|boekdatum|boekingsdatum|date de comptabilisation|date comptable|fecha contable|data contabile|date posted|settlement date|settled date|entry date|könyvelés dátuma|könyvelés napja|datum zaúčtování|zaúčtováno|datum účtování|data księgowania|data de lançamento|data do lançamento|bokföringsdag|dateop|bokföringsdatum|bokføringsdato|bogføringsdato|bogført|kirjauspäivä|fecha de contabilización|data registrazione|data operacji księgowej',
  ],
  [
    'transaction_date',
    "transaction date|trans date|trans. date|purchase date|started date|created on|datum transaktion|date de l'opération|date opération|fecha operación|data operazione|date of transaction|txn date|tran date|transactiondate|transactiedatum|umsatzdatum|transaktionsdatum|kaufdatum|tranzakció dátuma|tranzakció időpontja|datum transakce|datum provedení|data transakcji|data operacji|data da transação|data do movimento|data mov.|data movimento|fecha de operación|fecha de la operación|transaktionsdato|købsdato|kjøpsdato|inköpsdatum|tapahtumapäivä|ostopäivä|execution date|date d'opération",
  ],
  [
    'plain_date',
    'date|datum|fecha|data|datetime|created|date time|timestamp|journal date|dato|dátum|päivämäärä|pvm|päiväys|day|jour|created at|payment date|maksupäivä|dia|datum operace|fecha movimiento|tarih|日付|取引日|日期|交易日期|дата',
  ],
  [
    'value_date',
    'value date|wertstellung|wertstellungsdatum|valutadatum|rentedatum|date de valeur|fecha valor|data valuta|valuta|wert|effective date|értéknap|datum valuty|data waluty|data valor|valutadag|valuteringsdato|rentedato|arvopäivä|date valeur|interest date',
  ],
  [
    'amount',
    'amount|transaction amount|value|net|gross|sum|betrag|umsatz|bedrag|montant|importe|importo|valor|net amount|amt|transaktionsbetrag|buchungsbetrag|összeg|tranzakció összege|terhelés/jóváírás|částka|objem|kwota|kwota operacji|kwota transakcji|montante|quantia|belopp|beløb|beløp|määrä|summa|maara|monto|cantidad|tutar|payment amount|billing amount|suma|金額|金额|сумма',
  ],
  [
    'debit',
    'debit|debit amount|debits|withdrawal|withdrawals|money out|paid out|outflow|soll|belastung|débit|cargo|addebito|uscite|débito|withdrawal amount|debit amt|dr amount|paid out amount|out|af|cargos|débitos|dare|adeudo|lastschrift|addebiti|withdrawal amt.|お支払金額|お引出し|支出|転出|kiadás|terhelés|výdaj|odchozí|obciążenia|obciążenie|wydatki|ut|uttag|udbetaling|hævet|ut fra konto|money out amount|debet',
  ],
  [
    'credit',
    'credit|credit amount|credits|deposit|deposits|money in|paid in|inflow|haben|gutschrift|crédit|abono|accredito|entrate|crédito|deposit amount|credit amt|cr amount|paid in amount|in|bij|abonos|créditos|avere|ingreso|accrediti|deposit amt.|お預り金額|お預入れ|收入|gutschriften|bevétel|jóváírás|příjem|příchozí|uznania|uznanie|wpływy|insättning|indbetaling|indsat|inn på konto|kredit|money in amount',
  ],
  [
    'direction',
    'debit/credit|credit/debit|dr/cr|cr/dr|d/c|direction|credit debit indicator|af bij|soll/haben|s/h|sens|cr/db|debit or credit|debit credit indicator|cdi|af/bij|bij/af|c/d|bevétel/kiadás|terhelés/jóváírás jelzője|směr|d/k|débito/crédito|haber/debe|in/out|creditdebitindicator',
  ],
  [
    'balance',
    'balance|running balance|running bal.|runningbalance|resulting balance|balance after transaction|ending balance|saldo|saldo na trn|saldo na mutatie|kontostand|solde|account balance|available balance|current balance|balance after|closing balance|saldo nach buchung|egyenleg|könyvelt egyenleg|zůstatek|zůstatek po transakci|saldo po operacji|saldo após|saldo contabile|bal|saldo final|saldo disponible|saldo konta|bakiye|残高|余额|saldo contabilístico|остаток',
  ],
  [
    'currency',
    'currency|currency code|ccy|währung|waehrung|munt|devise|moneda|divisa|valuta|curr|transaction currency|account currency|muntsoort|pénznem|devizanem|tranzakció devizaneme|měna|waluta|moeda|valuta kode|valutta|valuutta|para birimi|iso code',
  ],
  [
    'description',
    'description|transaction description|original statement|original description|details|narrative|particulars|memo|payee|name|reference|verwendungszweck|vwz|buchungstext|omschrijving|mededelingen|naam / omschrijving|libellé|concepto|descripción|descrizione|causale|descrição|transaction details|narration|remarks|bank account details|transaction|text|popis|popis operace|poznámka|zpráva pro příjemce|opis|opis operacji|tytuł|közlemény|leírás|megjegyzés|specifikation|beskrivning|rubrik|meddelande|tekst|beskrivelse|forklaring|selite|viesti|kuvaus|intitulé|libellé opération|détail|histórico|movimiento|bokföringstext|message|communication|communications|vrije mededeling|payment details|payment reference|description/payee|açıklama|kommentar|comment|note to payee|label|摘要|内容|описание|назначение платежа',
  ],
  [
    'merchant_name',
    'merchant|merchant name|payee name|counter party|counterparty|counterparty name|partner name|auftraggeber/empfänger|beguenstigter/zahlungspflichtiger|tegenpartij|bénéficiaire|beneficiario|partner neve|naam tegenpartij|name of counterparty|empfänger|empfänger/auftraggeber|begünstigter|protistrana|název protiúčtu|název protistrany|kontrahent|nadawca/odbiorca|mottagare|modtager|mottaker|saaja|saaja/maksaja|maksaja|payee|name|beneficiary|recipient|counteraccount name',
  ],
  ['payee', 'payee name|zahlungsempfänger*in|zahlungsempfänger|target name'],
  ['payer', 'payer name|zahlungspflichtige*r|zahlungspflichtiger|source name'],
  [
    'category',
    'category|spending category|kategorie|categorie|catégorie|categoría|categoria|kategória|kategori|kategoria|luokka',
  ],
  [
    'type',
    'type|transaction type|umsatztyp|umsatzart|mutatiesoort|code|tranzakció típusa|typ transakcji|typ transakce|rodzaj transakcji|tipo|typ|transaktionstyp|tapahtumalaji|laji|rubrieknaam|type of transaction',
  ],
  ['status', 'status|state|cleared|stav|állapot|estado|stan|tila'],
  [
    'bank_id',
    'transaction id|transactionid|fitid|reference number|external id|unique id|id|transaction reference number|transaction number|transaction ref|tranzakció azonosító|id transakce|id operace|numer transakcji|archival id|arkistointitunnus|volgnr',
  ],
  ['fee', 'fee|fees|total fees|gebühr|kosten|frais|comisión|commissione'],
  [
    'account',
    'account|account name|account number|konto|account no|account no.|kontonummer|rekening|rekeningnummer|iban/bban|compte|cuenta|conto',
  ],
  [
    'counterparty_account',
    'iban|partner iban|tegenrekening|counterparty account|gegenkonto|partner számlaszáma|tegenrekening iban/bban|rekeningnummer tegenpartij|kontonummer/iban|kontonummer des begünstigten|protiúčet|číslo protiúčtu',
  ],
  [
    'check_number',
    'check number|checknumber|check or slip #|cheque number|check #|check no|check no.|cheque no|cheque no.|chq no|chq/ref no.|num',
  ],
  ['tags', 'tags|labels'],
  ['notes', 'notes|note|comments'],
  ['time', 'time|uhrzeit|heure|hora|ora|tijd|idő|čas|godzina|tid'],
];

/** Rank of a name within each meaning it can have; lower is better. */
export type Meanings = ReadonlyMap<Meaning, number>;

const BY_NAME = new Map<string, Map<Meaning, number>>();
for (const [meaning, names] of NAMES) {
  names.split('|').forEach((name, rank) => {
    const key = normalisedName(name);
    const meanings = BY_NAME.get(key) ?? new Map<Meaning, number>();
    if (!meanings.has(meaning)) meanings.set(meaning, rank);
    BY_NAME.set(key, meanings);
  });
}

const NONE: Meanings = new Map();

/** What a header name may mean, with the rank of the synonym; a trailing `(EUR)`, `EUR` or number is ignored. */
export function meaningsOf(header: string): Meanings {
  const name = normalisedName(header);
  if (name === '' || name.length > 80) return NONE;
  const exact = BY_NAME.get(name);
  if (exact) return exact;
  for (const shorter of shortened(header, name)) {
    const found = BY_NAME.get(shorter);
    if (found) return found;
  }
  return NONE;
}

/** The text part of a numbered name (`VWZ3`, `Omschrijving-1`, `Description 2`); undefined without a number. */
export function numberedBase(header: string): string | undefined {
  const name = normalisedName(header);
  let end = name.length;
  while (end > 0 && name.charCodeAt(end - 1) >= 48 && name.charCodeAt(end - 1) <= 57) end--;
  if (end === name.length || name.length - end > 2) return undefined;
  while (end > 0 && ' -_#'.includes(name.charAt(end - 1))) end--;
  return end > 0 ? name.slice(0, end) : undefined;
}

function shortened(header: string, name: string): string[] {
  const out: string[] = [];
  const spaced = name.replaceAll('_', ' ').replaceAll('.', '. ').replace(/\s+/gu, ' ').trim();
  out.push(spaced);
  const split = normalisedName(header.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
  out.push(split);
  for (const base of [name, spaced, split]) {
    let open = -1;
    if (base.endsWith(')')) open = base.lastIndexOf('(');
    else if (base.endsWith(']')) open = base.lastIndexOf('[');
    if (open > 0) out.push(base.slice(0, open).trim());
    if (base.endsWith(':') || base.endsWith('*') || base.endsWith('.')) out.push(base.slice(0, -1).trim());
  }
  if (currencyInName(header) !== undefined) {
    const last = name.lastIndexOf(' ');
    if (last > 0) {
      const base = name.slice(0, last);
      out.push(base);
      if (base.endsWith(' in')) out.push(base.slice(0, -3));
    }
  }
  const base = numberedBase(header);
  if (base !== undefined) out.push(base);
  return out;
}

import { normalisedName } from '../text/cell-text.ts';
import { isDigit } from '../text/char-codes.ts';
import { currencyInName } from './currency.ts';
import { columnNames, IN, OUT, wordDirection } from './lexicon.ts';

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

/** A field whose column is found by its own names. Names of dates are told apart first. */
export type NamedField = Exclude<Field, 'date' | 'authorized_date'>;

/** What a header name can mean; the four kinds of date are told apart before one becomes `date`. */
export type Meaning = NamedField | 'posting_date' | 'transaction_date' | 'plain_date' | 'value_date';

/** The names of each meaning, the best first. */
export const NAMES: Readonly<Record<Meaning, string>> = {
  posting_date:
    'posting date|post date|posted date|release date|posted|booking date|booked|clearing date|completed date|finished on|buchung|buchungstag|buchungsdatum|boekdatum|boekingsdatum|date de comptabilisation|date comptable|fecha contable|data contabile|date posted|entry date|könyvelés dátuma|könyvelés napja|datum zaúčtování|zaúčtováno|datum účtování|data księgowania|data zaksięgowania|data de lançamento|data do lançamento|data lançamento|bokföringsdag|dateop|bokföringsdatum|bokføringsdato|bogføringsdato|bogført|kirjauspäivä|fecha de contabilización|data registrazione|data operacji księgowej|run date|date comptabilisation|date de fin|fecha de finalización|fecha de completado|completato il|date traitement|datum verrekening|valutert|datum knjiženja|datum knjizenja|data contab.|data contabilizzazione|tanggal efektif|datum knjiženja|дата проводки|data decontării|kandepäev|booked at|date completed|reskontradatum|data rozliczenia|datum des abschlusses|datum voltooid|data zrealizowania|data de conclusão|bokförd|bokfört|bookdate|book date|posted transactions date|data înregistrare|data înregistrării|bokført dato|data lanc.|process date|data di registrazione|data di contabilizzazione|date processed',
  transaction_date:
    "transaction date|trans date|trans. date|purchase date|started date|created on|datum transaktion|date de l'opération|date opération|fecha operación|data operazione|date of transaction|txn date|tran date|transactiondate|transactiedatum|umsatzdatum|transaktionsdatum|kaufdatum|tranzakció dátuma|tranzakció időpontja|datum transakce|datum provedení|data transakcji|data operacji|data da transação|data do movimento|data mov.|data movimento|fecha de operación|fecha de la operación|transaktionsdato|købsdato|kjøpsdato|inköpsdatum|tapahtumapäivä|ostopäivä|execution date|date d'opération|date de début|fecha de inicio|umsatztag|transaktionsdag|verrichtingsdatum|дата операции|交易时间|거래일시|date d'achat|fecha de compra|dátum transakcie|datum verrichting|datum der transaktion|datum provedeni|data ora|transaction dt|date operation|fecha de la transacción|fecha transacción|tanggal transaksi|işlem tarihi|islem tarihi|ngày giao dịch|data tranzacției|datum transakcije|дата і час операції|дата транзакции|วันที่ทำรายการ|uitvoeringsdatum|date d'exécution|date started|datum des beginns|startdatum|data rozpoczęcia|data de início|datum izvršenja|belegdatum|תאריך עסקה|תאריך העסקה|activity date|tgl tran",
  plain_date:
    'date|datum|fecha|data|datetime|created|date time|timestamp|journal date|dato|dátum|päivämäärä|pvm|päiväys|day|jour|created at|payment date|maksupäivä|dia|datum operace|fecha movimiento|tarih|日付|取引日|日期|交易日期|дата|תאריך|取引日時|거래일|거래일자|ご利用日|利用日|ημερομηνία|kuupäev|datums|tanggal|tarikh|ngày|วันที่|التاريخ|дата операції|dagsetning|data operațiunii|aika|ημ/νία|дата і час операції|date and time|datum und zeit|ngày giao dịch|completion time|이용일|이용일자|승인일자|승인일시|年月日|年月日(和暦)|ご利用年月日|date/time|report date',
  value_date:
    'value date|wertstellung|wertstellungsdatum|valutadatum|rentedatum|date de valeur|fecha valor|data valuta|valuta|wert|effective date|értéknap|datum valuty|data waluty|data valor|valutadag|valuteringsdato|rentedato|arvopäivä|date valeur|interest date|settlement date|settled date|value dt|value dat|transaction value date|f. valor|fecha de valor|wertstellung (valuta)|תאריך ערך|дата платежа|data liquidazione|bokfört värde|datum valute|settle date',
  amount:
    'billing amount|amount|transaction amount|value|net|netto|neto|gross|brutto|bruto|lordo|avant commission|sum|betrag|umsatz|bedrag|montant|importe|importo|valor|net amount|amt|transaktionsbetrag|buchungsbetrag|összeg|tranzakció összege|terhelés/jóváírás|částka|objem|kwota|kwota operacji|kwota transakcji|montante|quantia|belopp|beløb|beløp|määrä|summa|maara|monto|cantidad|tutar|payment amount|billing amount|suma|金額|金额|сумма|montant opération|částka v měně účtu|montant operation|сумма платежа|сумма операции|入出金|取引金額|거래금액|tutarı|umsatz in eur|valor do lançamento|summe|ποσό|iznos|suma tranzacției|transaction value|סכום|mutatie|zaúčtovaná částka|částka transakce|transaction value (account currency)|movimento|movimenti|valor (r$)|monto transacción|importe eur|kwota w walucie rachunku|suma operacji|jumlah|nominal|miktar|işlem tutarı|số tiền|จำนวนเงิน|المبلغ|сума|сума операції|upphæð|sumă|cash flow|suma tranzactiei|amaun|montant operation en euro|montant opération en euros|card currency amount|сума в валюті картки|transaction net amount|change|změna|änderung|variation|variación|zmiana|variazione|mudança|ændring|סכום עסקה|סכום העסקה|승인금액|결제금액|total (aud)|сумма пересчитанная в валюту счета|сумма в валюте счета|amount in account currency|betrag in kontowährung',
  debit: columnNames('out').join('|'),
  credit: columnNames('in').join('|'),
  direction:
    'debit/credit|credit/debit|dr/cr|cr/dr|d/c|direction|credit debit indicator|af bij|soll/haben|s/h|sens|cr/db|debit or credit|debit credit indicator|cdi|af/bij|bij/af|c/d|bevétel/kiadás|terhelés/jóváírás jelzője|směr|d/k|débito/crédito|haber/debe|in/out|creditdebitindicator|收/支|구분|収支|ξ/π|debet/kredit|debit/kredit|dc|d of c|credit/debet|ingreso/egreso|entrée/sortie|db/cr|debe/haber|d/h|dare/avere|d/a|signo|segno|deebet/kreedit|debets/kredīts|debetas/kreditas|směr úhrady|πρόσημο|πρόσημο ποσού|income/expense|expense/income',
  balance:
    'balance|running balance|running bal.|runningbalance|resulting balance|balance after transaction|ending balance|saldo|saldo na trn|saldo na mutatie|kontostand|solde|account balance|available balance|current balance|balance after|closing balance|saldo nach buchung|egyenleg|könyvelt egyenleg|zůstatek|zůstatek po transakci|saldo po operacji|saldo após|saldo contabile|bal|saldo final|saldo disponible|saldo konta|bakiye|残高|余额|saldo contabilístico|остаток|saldos|account running balance|bokfört saldo|disponible|差引残高|取引後残高|お取引後残高|거래 후 잔액|거래후잔액|잔액|יתרה|יתרה בש"ח|היתרה בש"ח|היתרה|余额(元)|saldo após lançamento|saldo contable|saldo disponibile|närvarande saldo|stanje|υπόλοιπο|closing bal|baki|số dư|ยอดคงเหลือ|الرصيد|залишок|баланс|салдо|likutis|atlikums|sold|staða|hesap bakiyesi|saldo akhir|zůstatek na účtu|saldo po transakcji|guthaben|יתרה בש\'\'ח|現在(貸付)高|現在高|залишок після операції|залишок на рахунку|餘額|結餘|帳戶餘額|sold contabil|balance amount|partial balance|güncel bakiye|yeni bakiye|거래후 잔액|saldo controlo|saldo progressivo|saldo akhir mutasi|close balance',
  currency:
    'billing currency|currency|currency code|ccy|währung|waehrung|munt|devise|moneda|divisa|valuta|curr|transaction currency|account currency|muntsoort|pénznem|devizanem|tranzakció devizaneme|měna|waluta|moeda|valuta kode|valutta|valuutta|para birimi|iso code|whg|měna účtu|devies|deviza|валюта|валюта платежа|валюта операции|mena|通貨|币种|통화|monn.|monnaie|zahlungswährung|währung des kontos|kontowährung|muntcode|valuta konta|valiuta|valuuta|posted currency|valutacode|pénznem kód|mata uang|waluta operacji|валюта операції|döviz|döviz cinsi|loại tiền|العملة|valūta|mynt|whrg.|összeg devizaneme|valuta rekening|幣別|валута|buchungswährung|payment currency|מטבע חיוב|kode mata uang|div|валюта счета|waluta rachunku|devise du compte|valuta del conto|divisa de la cuenta|rekeningvaluta',
  description:
    'description|transaction description|original statement|original description|details|narrative|particulars|memo|reason|verwendungszweck|vwz|payee|name|transaction ref1|umsatztext|buchungstext|omschrijving|mededelingen|naam / omschrijving|libellé|concepto|descripción|descrizione completa|descrizione|descrizione operazione|causale|descrição|transaction details|narration|remarks|bank account details|transaction|text|popis|popis operace|poznámka|zpráva pro příjemce|opis|tytuł|opis operacji|közlemény|leírás|megjegyzés|specifikation|beskrivning|rubrik|meddelande|tekst|beskrivelse|forklaring|selite|viesti|kuvaus|intitulé|libellé opération|détail|histórico|movimiento|bokföringstext|message|communication|communications|vrije mededeling|payment details|payment reference|description/payee|açıklama|kommentar|comment|note to payee|label|摘要|内容|описание|назначение платежа|vorgang/verwendungszweck|verwendungszweck / text|buchungs-details|buchungsdetails|beschreibung|beschrijving|mededeling|transactie|avisierungstext|libellé complet opération|libelle complet operation|selitys|megnevezés|lançamento|title|título|商品说明|商品|入出金内容|摘要内容|내용|적요|תיאור|descripcion|descrizione operazione|descrizione estesa|tytuł operacji|opis transakcji|zpráva|viitteet|περιγραφή|selgitus|opis transakcije|detaylar|uraian|desc|desc.|zahlungsreferenz|transaction narration|narrative 1|tran details|omschrijving transactie|toelichting|detalle|detalles|glosa|concepto movimiento|motif|commentaire|paskirtis|mokėjimo paskirtis|maksājuma mērķis|namjena|svrha|opis plaćanja|purpose|payment purpose|transaction remarks|tran particular|particular|booking text|payment purpose|subject|keterangan|deskripsi|işlem açıklaması|diễn giải|nội dung|รายละเอียด|รายการ|البيان|الوصف|опис|опис операції|основание|skýring|detalii tranzacție|detalii|namen|opis prometa|paaiškinimai|informācija saņēmējam|nội dung giao dịch|butiran|zpráva pro mě|poznámka pro mě|popis transakce|tétel megnevezése|szczegóły transakcji|reference|αιτιολογία|деталі операції|利用店名・商品名|利用店名|ご利用店名|お取り扱い内容|說明|opis prejemnika|mô tả|desk tran',
  merchant_name:
    'merchant|merchant name|payee name|counter party|counterparty|counterparty name|partner name|auftraggeber/empfänger|beguenstigter/zahlungspflichtiger|tegenpartij|bénéficiaire|beneficiario|partner neve|naam tegenpartij|name of counterparty|empfänger|empfänger/auftraggeber|begünstigter|protistrana|název protiúčtu|název protistrany|kontrahent|nadawca/odbiorca|mottagare|modtager|mottaker|saaja|saaja/maksaja|maksaja|payee|name|beneficiary|recipient|counteraccount name|partnername|name zahlungsbeteiligter|sender / empfänger|begünstigter / auftraggeber|zahlungsbeteiligter|naam tegenpartij bevat|交易对方|name of sender/receiver|partner|auftraggeber|supplierfound|avsändare|handelaar|tegenrekeninghouder|naam tegenrekening|auftraggebername|empfängername|merchant/payee|empfänger/absender|zahlungspflichtiger/-empfänger|gegenpartei|contraparte|contrepartie|controparte|vastapool|gavėjas|mokėtojas|odbiorca|nadawca|příjemce|kedvezményezett|ellenoldali név|saaja/maksja nimi|tegenpartij van de verrichting|saņēmējs/maksātājs|prejemnik / plačnik|platitelj/primatelj|контрагент|가맹점명|이용처|שם בית העסק|שם בית עסק|business name|name des partners|partnername',
  payee: 'payee name|zahlungsempfänger*in|zahlungsempfänger|target name|nazwa odbiorcy',
  payer: 'payer name|zahlungspflichtige*r|zahlungspflichtiger|source name|nazwa nadawcy',
  category:
    'category|spending category|kategorie|categorie|catégorie|categoría|categoria|kategória|kategori|kategoria|luokka|merchant category|mcc description|subcategory|unterkategorie',
  type: 'type|transaction type|umsatztyp|umsatzart|mutatiesoort|code|tranzakció típusa|typ transakcji|typ transakce|rodzaj transakcji|tipo|typ|transaktionstyp|tapahtumalaji|laji|rubrieknaam|type of transaction|art|vorgang|buchungsart|operation type|tran type|交易类型|交易分类|거래구분|type opération|movimiento tipo|transaktionsart|art der transaktion|transaction code description|tipo de movimiento|tipo movimiento|tipo movimento|type de transaction|soort transactie|action|opis operacji|รายการ',
  status:
    'status|state|cleared|statut|stav|állapot|estado|stan|tila|estat|stato|état|статус|交易状态|当前状态|estatus|situação|transaction status',
  bank_id:
    'transaction id|transactionid|fitid|reference number|external id|unique id|id|transaction reference number|transaction number|transaction ref|tranzakció azonosító|id transakce|id operace|numer transakcji|archival id|arkistointitunnus|volgnr|transaktions-nr.|buchungsreferenz|id pohybu|identificador|zkb-referenz|transaktionscode|交易订单号|交易单号|numer referencyjny|transaktions-id|transaktionsid|transaktionsnummer|n° de transaction|id transacción|id transakcije|ft reference number|record id',
  fee: 'fee|fees|total fees|fees & taxes|entgelt|tariffa|tarifa|gebühr|kosten|frais|comisión|commissione|commission|spese|poplatek|poplatek v měně účtu|avgift|gebyr|комиссия|charge|charges',
  account:
    'account|account name|account number|konto|account no|account no.|kontonummer|rekening|rekeningnummer|iban/bban|compte|cuenta|conto|auftragskonto|auftraggeberkonto|numéro de compte|numero de compte|numero conto|número de cuenta|conta|rachunek|numer rachunku|bank account|iban auftragskonto|iban kontoinhaber|kontonummer/iban|kliendi konto|klienta konts|sąskaitos nr.|posted account|wallet|source account',
  counterparty_account:
    'iban|partner iban|tegenrekening|counterparty account|gegenkonto|partner számlaszáma|tegenrekening iban/bban|rekeningnummer tegenpartij|kontonummer/iban|kontonummer des begünstigten|protiúčet|číslo protiúčtu|iban zahlungsbeteiligter|iban / konto-nr.|rekening tegenpartij|tegenrekeningnummer|saajan tilinumero|saaja/maksja konto|kontoverbindung des partners',
  check_number:
    'check number|checknumber|check or slip #|cheque number|check #|check no|check no.|cheque no|cheque no.|chq no|chq/ref no.|num',
  tags: 'tags|labels',
  notes: 'notes|note|comments',
  time: 'time|uhrzeit|heure|hora|ora|tijd|idő|čas|godzina|tid',
};

/** Rank of a name within each meaning it can have; lower is better. */
type Meanings = ReadonlyMap<Meaning, number>;

const BY_NAME = new Map<string, Map<Meaning, number>>();
for (const [meaning, names] of Object.entries(NAMES) as [Meaning, string][]) {
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
  const name = normalisedName(header).replace(/^[#*]+\s*/u, '');
  if (name === '' || name.length > 80) return NONE;
  const exact = BY_NAME.get(name);
  if (exact) return exact;
  for (const shorter of shortened(header, name)) {
    const found = BY_NAME.get(shorter);
    if (found) return found;
  }
  const base = numberedBase(header);
  const numbered = base === undefined ? undefined : BY_NAME.get(base);
  if (numbered) return new Map([...numbered].filter(([meaning]) => meaning !== 'bank_id'));
  const sided = [name, ...shortened(header, name)].map(sidedAmount).find((meanings) => meanings !== undefined);
  return meaningsOfParts(name) ?? sided ?? NONE;
}

const AMOUNT_WORD =
  /(?:^|[a-z])(?:betrag|amount|amt|montant|importe|importo|bedrag|valor|monto|kwota|suma|iznos|belopp|belob|belop|castka)$/;

/** A name such as `Zahlungsbetrag ausgehend`: an amount, its direction, and no other words but small ones. */
function sidedAmount(name: string): Meanings | undefined {
  const words = name.split(/[^\p{L}]+/u).filter((word) => word !== '');
  if (words.length > 3 || !words.some((word) => AMOUNT_WORD.test(word))) return undefined;
  const ways = words.map((word) => wordDirection(word, 'name part'));
  const isOut = ways.includes(OUT);
  const isIn = ways.includes(IN);
  const isPlain = words.every((word, i) => AMOUNT_WORD.test(word) || ways[i] !== 0 || word.length <= 3);
  return isOut === isIn || !isPlain ? undefined : new Map([[isOut ? 'debit' : 'credit', 1_000]]);
}

/** Names of two texts in one, such as `Merchant/Description`; only for fields of text. */
function meaningsOfParts(name: string): Meanings | undefined {
  if (!name.includes('/') || /\b(?:bic|swift)\b/.test(name)) return undefined;
  const parts = name.split('/').map((part) => BY_NAME.get(part.trim()));
  for (const field of ['description', 'merchant_name', 'counterparty_account'] as const) {
    const ranks = parts.flatMap((part) => part?.get(field) ?? []);
    if (ranks.length > 0) return new Map([[field, Math.min(...ranks)]]);
  }
  return undefined;
}

/** The text part of a numbered name (`VWZ3`, `Omschrijving-1`, `Description 2`); undefined without a number. */
export function numberedBase(header: string): string | undefined {
  const name = normalisedName(header);
  let end = name.length;
  while (end > 0 && isDigit(name.charCodeAt(end - 1))) end--;
  if (end === name.length || name.length - end > 2) return undefined;
  while (end > 0 && ' -_#'.includes(name.charAt(end - 1))) end--;
  return end > 0 ? name.slice(0, end) : undefined;
}

const NET =
  /^(?:net|netto|neto|(?:transaction )?net amount|net total|total amount|nettobetrag|montant net|importe neto|importo netto|nettobelopp|kwota netto)$/;

/** True for the name of an amount that has the fees beside it in it. */
export function namesNet(header: string): boolean {
  return NET.test(normalisedName(header));
}

/** True for the name of a tax that is taken with a fee. */
export function namesTax(header: string): boolean {
  return /^(?:tax|taxes|steuer|steuern|withholding tax|quellensteuer)$/.test(normalisedName(header));
}

const CARD_USE = new Set(['利用金額', 'ご利用金額', '利用額', 'ご利用額', '이용금액'].map(normalisedName));

const CARDHOLDER =
  /^(?:card ?holder|card ?member|karteninhaber|titulaire de (?:la )?carte|titular de (?:la )?tarjeta|titolare (?:della )?carta|kaarthouder|kortinnehavare|kort(?:inde)?haver|posiadacz karty|kart sahibi)(?: name)?$/;

/** True for the name of a column that says who paid with a card. */
export function namesCardholder(header: string): boolean {
  return CARDHOLDER.test(normalisedName(header));
}

const CARD_NUMBER =
  /^(?:card used(?: for transaction)?|card|karte|carte|carta|tarjeta|kaart|kort|karta|card ?id|card (?:number|no\.?|last 4(?: digits)?)|kartennummer|karten-?nr\.?|num[eé]ro de (?:la )?carte|numero (?:della )?carta|n[uú]mero de (?:la )?tarjeta|kaartnummer|kortnummer|numer karty)$/;

/** True for the name of a column that says with which card something was paid. */
export function namesCard(header: string): boolean {
  return CARD_NUMBER.test(normalisedName(header));
}

/** True for the name of a rate of exchange. */
export function namesRate(header: string): boolean {
  return /\brate\b|kurs|\btaux\b|\btasso\b|\bcambio\b|koers|курс/.test(normalisedName(header));
}

/** True for the name of what a card was used for: every purchase has it, and a refund has a minus. */
export function namesCardUse(header: string): boolean {
  return CARD_USE.has(normalisedName(header));
}

const OF_ACCOUNT =
  /account currency|kontowahrung|wahrung des kontos|валют\S* счета|walucie rachunku|waluta rachunku|devise du compte|valuta del conto|divisa de la cuenta|rekeningvaluta|mene uctu|mena uctu/;

/** True for the name of what is in the currency of the account: the amount that was booked, or that currency. */
export function namesAccountMoney(header: string): boolean {
  return OF_ACCOUNT.test(normalisedName(header));
}

const BOOKED =
  /\b(?:booked|billed|billing|charge|charged|settled|settlement|account amount|posted amount|abgerechnet|abrechnungsbetrag|gebucht|belastet|facture|debite|cobrado|facturado|addebitato|faturado|geboekt|zaksiegowana|rozliczenia|bokfort|bokfort belopp|bogfort)\b|חיוב|請求|入账|入帳/;

/** True for the name of an amount that is the one booked, beside the price of the purchase. */
export function namesBooked(name: string): boolean {
  return BOOKED.test(normalisedName(name).replaceAll('_', ' '));
}

/** True for the name of an amount that is not the one booked: the price in the currency of the purchase. */
export function namesOtherMoney(name: string): boolean {
  return /orig|foreign|fremd|devis|local|purchase|transaction currency|מקור/.test(normalisedName(name));
}

const FOREIGN_PRICE =
  /^(?:utl\.? ?belopp(?:\/moms)?|utlandskt belopp|utlandsbelopp|belopp i utlandsk valuta|valutabelopp|valutabelop|udenlandsk belob|utenlandsk belop|foreign (?:currency )?amount|currency amount|amount in (?:foreign|original|transaction) currency|montant en devises?|importe en divisas?|importo in divisa|valor em moeda de origem|alkuperainen summa|fremdwahrungsbetrag|betrag in fremdwahrung)$/;

/** True for the name of the price of a purchase in another currency, which is empty or 0 for the others. */
export function namesForeignPrice(header: string): boolean {
  return FOREIGN_PRICE.test(normalisedName(header));
}

const PLACE = /^(?:ort|plats|sted|stad|city|place|location|town|ville|citta|lieu|luogo|plaats)$/;

/** True for the name of the place of a purchase. */
export function namesPlace(header: string): boolean {
  return PLACE.test(normalisedName(header));
}

function shortened(header: string, name: string): string[] {
  const out: string[] = [];
  const spaced = name.replaceAll('_', ' ').replaceAll('.', '. ').replace(/\s+/gu, ' ').trim();
  out.push(spaced);
  out.push(name.replace(/\s{0,3}\/\s{0,3}/gu, '/'));
  const split = normalisedName(header.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
  out.push(split);
  for (const base of [name, spaced, split]) {
    let open = -1;
    if (base.endsWith(')')) open = base.lastIndexOf('(');
    else if (base.endsWith(']')) open = base.lastIndexOf('[');
    if (open > 0 && !namesOtherMoney(base.slice(open))) out.push(base.slice(0, open).trim().replace(/,$/, ''));
    if (base.endsWith(' $')) out.push(base.slice(0, -2).trim());
    if (base.endsWith(':') || base.endsWith('*') || base.endsWith('.')) out.push(base.slice(0, -1).trim());
  }
  if (currencyInName(header) !== undefined) {
    const last = name.lastIndexOf(' ');
    if (last > 0) {
      // The `in` of `Amount in EUR` is not a direction.
      out.push(name.slice(0, last).replace(/ in$/, ''));
    }
  }
  return out;
}

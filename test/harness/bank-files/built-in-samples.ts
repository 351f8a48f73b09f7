import type { ReadOptions } from '../../../src/engines/imports/analysis.ts';

/** The header as it would stand in a file, and two records: a purchase of 25.00 and 1,000.00 coming in. */
export interface Sample {
  readonly slug: string;
  readonly delimiter?: string;
  readonly preamble?: string;
  readonly header: string;
  readonly purchase: string;
  readonly incoming: string;
  readonly options?: ReadOptions;
}

export const SAMPLES: readonly Sample[] = [
  {
    slug: 'chase_card',
    header: 'Transaction Date,Post Date,Description,Category,Type,Amount,Memo',
    purchase: '01/14/2025,01/15/2025,CAFE,Food,Sale,-25.00,',
    incoming: '01/15/2025,01/16/2025,Payment Thank You,,Payment,1000.00,',
  },
  {
    slug: 'chase_card',
    header: 'Card,Transaction Date,Post Date,Description,Category,Type,Amount,Memo',
    purchase: '1234,01/14/2025,01/15/2025,CAFE,Food,Sale,-25.00,',
    incoming: '1234,01/15/2025,01/16/2025,Payment,,Payment,1000.00,',
  },
  {
    slug: 'chase_checking',
    header: 'Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #',
    purchase: 'DEBIT,01/15/2025,CAFE,-25.00,ACH_DEBIT,1975.00,,',
    incoming: 'CREDIT,01/14/2025,PAY,1000.00,ACH_CREDIT,2000.00,,',
  },
  {
    slug: 'amex',
    header: 'Date,Description,Card Member,Account #,Amount',
    purchase: '01/15/2025,CAFE,A B,-11001,25.00',
    incoming: '01/16/2025,AUTOPAY,A B,-11001,-1000.00',
  },
  {
    slug: 'amex_long',
    header:
      'Date,Description,Card Member,Account #,Amount,Extended Details,Appears On Your Statement As,Address,City/State,Zip Code,Country,Reference,Category',
    purchase: '01/15/2025,CAFE,A,-1,25.00,"x\ny",CAFE,,,,US,\'32025\',Food',
    incoming: "01/16/2025,PAYMENT,A,-1,-1000.00,x,PAY,,,,US,'32026',",
  },
  {
    slug: 'bmo_card',
    preamble: 'Following data is valid as of 20250131165109:\n\n',
    header: 'Item #,Card #,Transaction Date,Posting Date,Transaction Amount,Description',
    purchase: "1,'5524000000000000',20250114,20250115,25.0,CAFE",
    incoming: "2,'5524000000000000',20250113,20250114,-1000.0,PAYMENT RECEIVED",
  },
  {
    slug: 'capital_one_card',
    header: 'Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit',
    purchase: '2025-01-14,2025-01-15,1234,CAFE,Food,25.00,',
    incoming: '2025-01-14,2025-01-15,1234,PAYMENT,,,1000.00',
  },
  {
    slug: 'capital_one_360',
    header: 'Account Number,Transaction Description,Transaction Date,Transaction Type,Transaction Amount,Balance',
    purchase: '1234,CAFE,01/15/25,Debit,25.00,1975.00',
    incoming: '1234,PAY,01/14/25,Credit,1000.00,2000.00',
  },
  {
    slug: 'capital_one_360',
    header: 'Account Number,Transaction Date,Transaction Amount,Transaction Type,Transaction Description,Balance',
    purchase: '1234,01/15/25,25.00,Debit,CAFE,1975.00',
    incoming: '1234,01/14/25,1000.00,Credit,PAY,2000.00',
  },
  {
    slug: 'bofa_deposit',
    preamble: 'Description,,Summary Amt.\nBeginning balance as of 01/01/2025,,"1,000.00"\n\n',
    header: 'Date,Description,Amount,Running Bal.',
    purchase: '01/15/2025,CAFE,"-25.00","975.00"',
    incoming: '01/16/2025,PAY,"1,000.00","1,975.00"',
  },
  {
    slug: 'bofa_card',
    header: 'Posted Date,Reference Number,Payee,Address,Amount',
    purchase: '01/15/2025,2469,CAFE,"NY",-25.00',
    incoming: '01/16/2025,2470,PAYMENT,"",1000.00',
  },
  {
    slug: 'discover',
    header: 'Trans. Date,Post Date,Description,Amount,Category',
    purchase: '01/14/2025,01/15/2025,CAFE,25.00,Food',
    incoming: '01/15/2025,01/16/2025,DIRECTPAY,-1000.00,Payments',
  },
  {
    slug: 'citi_card',
    header: 'Status,Date,Description,Debit,Credit,Member Name',
    purchase: 'Cleared,01/15/2025,CAFE,25.00,,A B',
    incoming: 'Cleared,01/16/2025,PAYMENT,,-1000.00,A B',
  },
  {
    slug: 'apple_card',
    header: 'Transaction Date,Clearing Date,Description,Merchant,Category,Type,Amount (USD),Purchased By',
    purchase: '01/14/2025,01/15/2025,CAFE,Cafe,Food,Purchase,25.00,A',
    incoming: '01/15/2025,01/16/2025,ACH DEPOSIT,Ach,Payment,Payment,-1000.00,A',
  },
  {
    slug: 'ally',
    header: 'Date, Time, Amount, Type, Description',
    purchase: '2025-01-15, 10:00:00, -25.00, Withdrawal, CAFE',
    incoming: '2025-01-16, 10:00:00, 1000.00, Deposit, PAY',
  },
  {
    slug: 'schwab_checking',
    header: '"Date","Status","Type","CheckNumber","Description","Withdrawal","Deposit","RunningBalance"',
    purchase: '"01/15/2025","Posted","VISA","","CAFE","$25.00","","$1,975.00"',
    incoming: '"01/14/2025","Posted","ACH","","PAY","","$1,000.00","$2,000.00"',
  },
  {
    slug: 'venmo',
    preamble: 'Account Statement - (@a) ,,,\nAccount Activity,,,\n',
    header:
      ',ID,Datetime,Type,Status,Note,From,To,Amount (total),Amount (tip),Amount (tax),Amount (fee),Tax Rate,Tax Exempt,Funding Source,Destination,Beginning Balance,Ending Balance,Statement Period Venmo Fees',
    purchase: ',35,2025-01-15T10:00:00,Payment,Complete,Lunch,A,B,- $25.00,,0,,0,,Venmo balance,,,,',
    incoming: ',36,2025-01-16T10:00:00,Payment,Complete,Rent,B,A,"+ $1,000.00",,0,,0,,,Venmo balance,,,',
  },
  {
    slug: 'paypal',
    header: '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","Transaction ID","Balance"',
    purchase:
      '"15/01/2025","10:00:00","CET","Cafe","Payment","Completed","EUR","-25.00","0.00","-25.00","A1","1975.00"',
    incoming:
      '"16/01/2025","10:00:00","CET","Bob","Payment","Completed","EUR","1000.00","0.00","1000.00","A2","2975.00"',
  },
  {
    slug: 'mint',
    header:
      '"Date","Description","Original Description","Amount","Transaction Type","Category","Account Name","Labels","Notes"',
    purchase: '"1/15/2025","Cafe","CAFE 12","25.00","debit","Food","Checking","",""',
    incoming: '"1/16/2025","Pay","ACME PAY","1000.00","credit","Income","Checking","",""',
  },
  {
    slug: 'monarch',
    header: 'Date,Merchant,Category,Account,Original Statement,Notes,Amount,Tags,Owner',
    purchase: '2025-01-15,Cafe,Food,Checking,CAFE 12,,-25.00,,',
    incoming: '2025-01-16,Acme,Income,Checking,ACME,,1000.00,,',
  },
  {
    slug: 'ynab_register',
    header:
      '\ufeff"Account","Flag","Date","Payee","Category Group/Category","Category Group","Category","Memo","Outflow","Inflow","Cleared"',
    purchase: '"Checking","","15/01/2025","Cafe","x","x","Food","lunch","$25.00","$0.00","Cleared"',
    incoming: '"Checking","","16/01/2025","Acme","x","x","Income","","$0.00","$1,000.00","Uncleared"',
  },
  {
    slug: 'actual',
    header: 'Account,Date,Payee,Notes,Category,Amount,Split_Amount,Cleared',
    purchase: 'Checking,2025-01-15,Cafe,lunch,Food,-25,0,Not cleared',
    incoming: 'Checking,2025-01-16,Acme,,Income,1000,0,Reconciled',
  },
  {
    slug: 'actual',
    header: 'Account,Date,Payee,Notes,Category,Amount,Cleared,Reconciled',
    purchase: 'Checking,2025-01-15,Cafe,,Usual Expenses: Food,-25.00,true,false',
    incoming: 'Checking,2025-01-16,Acme,,Income: Income,1000.00,true,true',
  },
  {
    slug: 'copilot',
    header: 'date,name,amount,status,category,parent category,excluded,tags,type,account,account mask,note,recurring',
    purchase: '2025-01-15,Cafe,25.00,posted,Restaurants,Food,false,,regular,Checking,1234,,',
    incoming: '2025-01-16,Acme,-1000.00,posted,Paycheck,Income,false,,income,Checking,1234,,',
  },
  {
    slug: 'revolut',
    header: 'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance',
    purchase: 'CARD_PAYMENT,Current,2025-01-14 10:00:00,2025-01-15 10:00:00,Cafe,-24.50,0.50,EUR,COMPLETED,975.00',
    incoming: 'TOPUP,Current,2025-01-16 10:00:00,2025-01-16 10:00:00,Top-up,1000.00,0.00,EUR,COMPLETED,1975.00',
  },
  {
    slug: 'wise_statement',
    header:
      'TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance,Exchange From,Exchange To,Exchange Rate,Payer Name,Payee Name,Payee Account Number,Merchant,Card Last Four Digits,Card Holder Full Name,Attachment,Note,Total fees',
    purchase: 'CARD-1,15-01-2025,-25.00,EUR,Cafe,,975.00,,,,,Cafe,,Cafe,1234,A,,,0.00',
    incoming: 'TRANSFER-2,16-01-2025,1000.00,EUR,Received,,1975.00,,,,Acme,,,,,,,,0.00',
  },
  {
    slug: 'n26',
    header:
      '"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"',
    purchase: '2025-01-15,2025-01-15,Cafe,,Presentment,Lunch,Main,-25.000000000,,,',
    incoming: '2025-01-16,,Acme,DE1,"Credit Transfer",Pay,Main,1000.00,,,',
  },
  {
    slug: 'n26_legacy',
    header:
      '"Datum","Empfänger","Kontonummer","Transaktionstyp","Verwendungszweck","Kategorie","Betrag (EUR)","Betrag (Fremdwährung)"',
    purchase: '"2025-01-15","Cafe","","MasterCard Zahlung","","Essen","-25.0",""',
    incoming: '"2025-01-16","Acme","DE1","Gutschrift","Lohn","Gehalt","1000.0",""',
  },
  {
    slug: 'ing_nl',
    header:
      '"Datum","Naam / Omschrijving","Rekening","Tegenrekening","Code","Af Bij","Bedrag (EUR)","Mutatiesoort","Mededelingen","Saldo na trn","Tag"',
    delimiter: ';',
    purchase: '"20250115";"Cafe";"NL1";"";"BA";"Af";"25,00";"Betaalautomaat";"Pas 1";"975,00";""',
    incoming: '"20250116";"Acme";"NL1";"NL2";"OV";"Bij";"1000,00";"Overschrijving";"Loon";"1975,00";""',
  },
  {
    slug: 'ing_nl_en',
    header:
      '"Date","Name / Description","Account","Counterparty","Code","Debit/credit","Amount (EUR)","Transaction type","Notifications"',
    purchase: '"20250115","Cafe","NL1","","BA","Debit","25,00","Payment terminal","Card 1"',
    incoming: '"20250116","Acme","NL1","NL2","OV","Credit","1000,00","Transfer","Pay"',
  },
  {
    slug: 'ing_de',
    delimiter: ';',
    preamble:
      'Umsatzanzeige;Datei erstellt am: 17.01.2025 10:00\n\nIBAN;DE12 3456\nKontoname;Girokonto\nBank;ING\nKunde;A B\nZeitraum;01.01.2025 - 17.01.2025\nSaldo;1.975,00;EUR\n\nSortierung;Datum absteigend\n\nIn der CSV-Datei finden Sie alle bereits gebuchten Umsätze.\n\n',
    header:
      'Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung',
    purchase: '15.01.2025;15.01.2025;Cafe;Lastschrift;Lunch;975,00;EUR;-25,00;EUR',
    incoming: '14.01.2025;14.01.2025;Acme;Gehalt;Lohn;1.000,00;EUR;1.000,00;EUR',
  },
  {
    slug: 'dkb',
    delimiter: ';',
    preamble: '\ufeff"Girokonto";"DE12"\n"Kontostand vom 17.01.2025:";"1.975,00 €"\n""\n',
    header:
      '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"',
    purchase: '"15.01.25";"15.01.25";"Gebucht";"A";"Cafe";"Lunch";"Ausgang";"DE1";"-25";"";"";""',
    incoming: '"16.01.25";"16.01.25";"Gebucht";"Acme";"A";"Lohn";"Eingang";"DE2";"1.000,00";"";"";""',
  },
  {
    slug: 'commerzbank',
    delimiter: ';',
    header:
      'Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung;Auftraggeberkonto;Bankleitzahl Auftraggeberkonto;IBAN Auftraggeberkonto',
    purchase: '15.01.2025;15.01.2025;Lastschrift;Cafe;-25,00;EUR;1;2;DE1',
    incoming: '16.01.2025;16.01.2025;Gutschrift;Acme;1000,00;EUR;1;2;DE1',
  },
  {
    slug: 'sparkasse',
    delimiter: ';',
    header:
      '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";"Kontonummer";"BLZ";"Betrag";"Waehrung";"Info"',
    purchase: '"DE1";"15.01.25";"15.01.25";"LASTSCHRIFT";"Lunch";"Cafe";"DE2";"X";"-25,00";"EUR";"Umsatz gebucht"',
    incoming: '"DE1";"16.01.25";"16.01.25";"GUTSCHRIFT";"Lohn";"Acme";"DE3";"Y";"1000,00";"EUR";"Umsatz gebucht"',
  },
  {
    slug: 'rabobank',
    header:
      '"IBAN/BBAN","Munt","BIC","Volgnr","Datum","Rentedatum","Bedrag","Saldo na trn","Tegenrekening IBAN/BBAN","Naam tegenpartij","Omschrijving-1","Omschrijving-2"',
    purchase: '"NL1","EUR","R","0001","2025-01-15","2025-01-15","-25,00","+975,00","","Cafe","Lunch",""',
    incoming: '"NL1","EUR","R","0002","2025-01-16","2025-01-16","+1000,00","+1975,00","NL2","Acme","Loon",""',
  },
  {
    slug: 'bunq',
    header: '"Date","Amount","Account","Counterparty","Name","Description"',
    purchase: '"2025-01-15","-25,00","NL1","","Cafe","Lunch"',
    incoming: '"2025-01-16","1.000,00","NL1","NL2","Acme","Pay"',
  },
  {
    slug: 'monzo',
    header:
      'Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In',
    purchase: 'tx_1,15/01/2025,10:00:00,Card payment,Cafe,,Food,-25.00,GBP,-25.00,GBP,,,,CAFE,,-25.00,',
    incoming: 'tx_2,16/01/2025,10:00:00,Faster payment,Acme,,Income,1000.00,GBP,1000.00,GBP,,,,PAY,,,1000.00',
  },
  {
    slug: 'monzo_2018',
    header: 'id,created,amount,currency,local_amount,local_currency,category,emoji,description,address,notes,receipt',
    purchase: 'tx_1,2025-01-15 10:00:00 +0000,-25,GBP,-25,GBP,eating_out,,Cafe,,,',
    incoming: 'tx_2,2025-01-16 10:00:00 +0000,1000,GBP,1000,GBP,general,,Acme,,,',
  },
  {
    slug: 'starling',
    header: 'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes',
    purchase: '15/01/2025,Cafe,LUNCH,CHIP & PIN,-25.00,975.00,EATING_OUT,',
    incoming: '16/01/2025,Acme,PAY,FASTER PAYMENT,1000.00,1975.00,INCOME,',
  },
  {
    slug: 'barclays',
    header: 'Number,Date,Account,Amount,Subcategory,Memo',
    purchase: ' ,15/01/2025,20-00-00 123,-25.00,Card Purchase,"CAFE      ON 14 JAN"',
    incoming: ' ,16/01/2025,20-00-00 123,1000.00,Direct Credit,"ACME"',
  },
  {
    slug: 'lloyds',
    header:
      'Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance',
    purchase: "15/01/2025,DEB,'30-00-00,12345678,CAFE,25.00,,1975.00",
    incoming: "14/01/2025,FPI,'30-00-00,12345678,ACME,,1000.00,2000.00",
  },
  {
    slug: 'homeledger',
    header:
      'id,short_id,date,authorized_date,amount,iso_currency_code,name,merchant_name,account_name,category_slug,tags,deleted_at',
    purchase: "u1,s1,2025-01-15,,25.00,EUR,'=cafe,,Main,food,a;b,",
    incoming: 'u2,s2,2025-01-16,,-1000.00,EUR,Pay,,Main,,,',
  },
  {
    slug: 'kbc',
    delimiter: ';',
    header:
      'Rekeningnummer;Rubrieknaam;Naam;Munt;Afschriftnummer;Datum;Omschrijving;Valuta;Bedrag;Saldo;credit;debet;rekeningnummer tegenpartij;BIC tegenpartij;Naam tegenpartij',
    purchase: 'BE1; ;A;EUR; 1;15/01/2025;CAFE;15/01/2025;-25,00;975,00;;-25,00;;;Cafe',
    incoming: 'BE1; ;A;EUR; 1;16/01/2025;ACME;16/01/2025;1000,00;1975,00;1000,00;;;;Acme',
  },
];

/** A file of the bank with these two records. */
export function fileOf({ preamble = '', header, delimiter, purchase, incoming }: Sample): string {
  const names =
    delimiter === undefined || header.includes(`"${delimiter}"`) || !header.includes('","')
      ? header
      : header.replaceAll('","', `"${delimiter}"`);
  return `${preamble}${names}\n${purchase}\n${incoming}\n`;
}

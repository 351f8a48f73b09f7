import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../test/harness/bank-files/csv-reading.ts';

/** A file in the shape of one bank's export, and every row (date, amount, currency, text) or the refusal it gives. */
type Sample = readonly [bank: string, encoding: string, file: string, expected: readonly string[]];

const SAMPLES: readonly Sample[] = [
  [
    'deutsche bank',
    'windows-1252',
    `Umsätze girokonto;;;Kundennummer: 100 1234567;
Girokonto;;;Kontonummer 1234567 00;
01.01.2024 - 31.01.2024;;;;
Letzter Kontostand;;;;1.000,00;EUR
Vorgemerkte und noch nicht gebuchte Umsätze sind nicht Bestandteil dieser Übersicht.
Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN;BIC;Kundenreferenz;Mandatsreferenz;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung
03.01.2024;03.01.2024;SEPA-Lastschrift von;Stadtwerke München;Strom Jan;DE02120300000000202051;BYLADEM1001;K1;M1;DE98ZZZ09999999999;;-89,50;;;;-89,50;;EUR
05.01.2024;05.01.2024;SEPA-Gehaltszahlung;Müller GmbH;Lohn/Gehalt;DE02500105170137075030;INGDDEFF;K2;;;;2.500,00;;;;;2.500,00;EUR
08.01.2024;08.01.2024;Kartenzahlung;REWE Markt;REWE SAGT DANKE;DE02100500000054540402;BELADEBE;K3;;;;-34,12;;;;-34,12;;EUR
12.01.2024;12.01.2024;Dauerauftrag;Vermieter;Miete;DE02300209000106531065;CMCIDEDD;K4;;;;-950,00;;;;-950,00;;EUR
Kontostand;31.01.2024;;;2.426,38;EUR
`,
    [
      '2024-01-03 89.50 EUR Strom Jan',
      '2024-01-05 -2500.00 EUR Lohn/Gehalt',
      '2024-01-08 34.12 EUR REWE SAGT DANKE',
      '2024-01-12 950.00 EUR Miete',
      'line 11 NOT_A_ROW',
    ],
  ],
  [
    'postbank new',
    'utf-8 with mark',
    `Umsätze
Konto;Filial-/Kontonummer;IBAN;Währung
Postbank Giro;123 1234567 00;DE11 1001 0010 0123 4567 89;EUR

1.1.2024 - 31.1.2024
Letzter Kontostand;;;;1.234,56;EUR
Vorgemerkte und noch nicht gebuchte Umsätze sind nicht Bestandteil dieser Übersicht.
Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN / Kontonummer;BIC;Kundenreferenz;Mandatsreferenz;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung
3.1.2024;3.1.2024;SEPA Lastschrift;PayPal Europe;1025 Einkauf;LU89751000135104200E;PPLXLUP2;;;;;-12,99;;;;-12,99;;EUR
2.1.2024;2.1.2024;Gutschrift;Max Mustermann;Rückzahlung;DE89370400440532013000;COBADEFF;;;;;50;;;;;50;EUR
2.1.2024;2.1.2024;Kartenzahlung;ALDI SUED;ALDI;;;;;;;-23,4;;;;-23,4;;EUR
`,
    ['2024-01-03 12.99 EUR 1025 Einkauf', '2024-01-02 -50.00 EUR Rückzahlung', '2024-01-02 23.40 EUR ALDI'],
  ],
  [
    'comdirect giro',
    'windows-1252',
    `;
"Umsätze Girokonto";"Zeitraum: 30 Tage";
"Neuer Kontostand";"1.954,12 EUR";

"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";
"offen";"--";"Lastschrift / Belastung";"Auftraggeber: Amazon Buchungstext: XYZ";"-12,00";
"05.01.2024";"05.01.2024";"Lastschrift / Belastung";"Auftraggeber: Telekom Buchungstext: Rechnung Ref. AB1";"-39,95";
"04.01.2024";"04.01.2024";"Übertrag / Überweisung";"Auftraggeber: Firma AG Buchungstext: Gehalt";"2.000,00";
"03.01.2024";"03.01.2024";"Kartenverfügung";"Buchungstext: EDEKA";"-5,93";

"Alter Kontostand";"0,00 EUR";
`,
    [
      'line 6 PENDING',
      '2024-01-05 39.95 EUR Auftraggeber: Telekom Buchungstext: Rechnung Ref. AB1',
      '2024-01-04 -2000.00 EUR Auftraggeber: Firma AG Buchungstext: Gehalt',
      '2024-01-03 5.93 EUR Buchungstext: EDEKA',
      'line 11 NOT_A_ROW',
    ],
  ],
  [
    'comdirect multi sections',
    'windows-1252',
    `;
"Umsätze Girokonto";"Zeitraum: 01.01.2024 - 31.01.2024";
"Neuer Kontostand";"1.954,12 EUR";

"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";
"05.01.2024";"05.01.2024";"Lastschrift";"Telekom";"-39,95";
"04.01.2024";"04.01.2024";"Überweisung";"Gehalt";"2.000,00";

"Alter Kontostand";"-5,93 EUR";

"Umsätze Visa-Karte (Kreditkarte)";"Zeitraum: 01.01.2024 - 31.01.2024";
"Neuer Kontostand";"-10,00 EUR";

"Buchungstag";"Umsatztag";"Vorgang";"Referenz";"Buchungstext";"Umsatz in EUR";
"09.01.2024";"08.01.2024";"Visa-Umsatz";"123456";"NETFLIX";"-12,99";
"10.01.2024";"09.01.2024";"Visa-Umsatz";"123457";"SPOTIFY";"-9,99";

"Alter Kontostand";"0,00 EUR";
`,
    ['INVALID_ROWS skip_invalid'],
  ],
  [
    'volksbank new',
    'utf-8 with mark',
    `Bezeichnung Auftragskonto;IBAN Auftragskonto;BIC Auftragskonto;Bankname Auftragskonto;Buchungstag;Valutadatum;Name Zahlungsbeteiligter;IBAN Zahlungsbeteiligter;BIC (SWIFT-Code) Zahlungsbeteiligter;Buchungstext;Verwendungszweck;Betrag;Waehrung;Saldo nach Buchung;Bemerkung;Kategorie;Steuerrelevant;Glaeubiger ID;Mandatsreferenz
VR-Girokonto;DE12500105170648489890;GENODEF1XXX;Volksbank;05.02.2024;05.02.2024;Bäckerei Schmidt;DE02120300000000202051;BYLADEM1001;Kartenzahlung;BROT;-4,50;EUR;1.195,50;;;;;
VR-Girokonto;DE12500105170648489890;GENODEF1XXX;Volksbank;02.02.2024;02.02.2024;Arbeitgeber KG;DE02500105170137075030;INGDDEFF;GEHALT/RENTE;Gehalt Februar;1.200,00;EUR;1.200,00;;;;;
VR-Girokonto;DE12500105170648489890;GENODEF1XXX;Volksbank;01.02.2024;01.02.2024;Versicherung;DE02300209000106531065;CMCIDEDD;FOLGELASTSCHRIFT;Beitrag 01/24;-30,00;EUR;0,00;;;;DE98;M-1
`,
    ['2024-02-05 4.50 EUR BROT', '2024-02-02 -1200.00 EUR Gehalt Februar', '2024-02-01 30.00 EUR Beitrag 01/24'],
  ],
  [
    'volksbank old (S/H)',
    'windows-1252',
    `"Musterbank eG"

"Umsatzanzeige"

"BLZ:";"10090000";;"Datum:";"05.02.2024"
"Konto:";"12345678";;"Uhrzeit:";"12:00:00"
"Abfrage von:";"Muster";;"Kontoinhaber:";"Muster"

"Zeitraum:";"alle Umsätze";"von:";"01.01.2024";"bis:";"31.01.2024"
"Betrag in EUR:";"";"von:";"";"bis:";""
"Sortiert nach:";"Buchungstag";"absteigend"

"Buchungstag";"Valuta";"Auftraggeber/Zahlungsempfänger";"Empfänger/Zahlungspflichtiger";"Konto-Nr.";"IBAN";"BLZ";"BIC";"Vorgang/Verwendungszweck";"Kundenreferenz";"Währung";"Umsatz";" "
"31.01.2024";"31.01.2024";"Muster";"Stadtwerke";"";"DE02120300000000202051";"";"BYLADEM1001";"LASTSCHRIFT
Strom Abschlag";"";"EUR";"85,00";"S"
"30.01.2024";"30.01.2024";"Muster";"Firma";"";"DE02500105170137075030";"";"INGDDEFF";"GEHALT
Januar";"";"EUR";"1.850,00";"H"
"29.01.2024";"29.01.2024";"Muster";"Kiosk";"";"DE02300209000106531065";"";"CMCIDEDD";"KARTENZAHLUNG";"";"EUR";"7,20";"S"

"01.01.2024";"";"";"";"";"";"";"";"";"Anfangssaldo";"EUR";"100,00";"H"
"31.01.2024";"";"";"";"";"";"";"";"";"Endsaldo";"EUR";"1.857,80";"H"
`,
    [
      '2024-01-31 85.00 EUR LASTSCHRIFT Strom Abschlag',
      '2024-01-30 -1850.00 EUR GEHALT Januar',
      '2024-01-29 7.20 EUR KARTENZAHLUNG',
      'line 20 OPENING_BALANCE',
      'line 21 STATED_BALANCE',
    ],
  ],
  [
    'consorsbank',
    'windows-1252',
    `Buchung;Valuta;Sender / Empfänger;IBAN / Konto-Nr.;BIC / BLZ;Buchungstext;Verwendungszweck;Kategorie;Stichwörter;Umsatz geteilt;Betrag in EUR
05.01.2024;05.01.2024;Lidl;DE02120300000000202051;BYLADEM1001;Kartenzahlung;LIDL DIENSTLEISTUNG;Lebensmittel;;;-23,11
04.01.2024;04.01.2024;Arbeitgeber;DE02500105170137075030;INGDDEFF;GEHALT;Gehalt;Einkommen;;;3.100,00
03.01.2024;03.01.2024;Tankstelle;DE02300209000106531065;CMCIDEDD;LASTSCHRIFT;ARAL;Auto;;;-60,02
`,
    ['2024-01-05 23.11 EUR LIDL DIENSTLEISTUNG', '2024-01-04 -3100.00 EUR Gehalt', '2024-01-03 60.02 EUR ARAL'],
  ],
  [
    'raiffeisen AT elba headerless',
    'utf-8 with mark',
    `05.01.2024;"Bezahlung Karte MC/C 1234 BILLA DANKT 1010 WIEN";05.01.2024;-23,45;EUR;05.01.2024 13:45:12:123
04.01.2024;"Auftraggeber: Firma GmbH Gehalt";04.01.2024;2.345,67;EUR;04.01.2024 02:11:00:001
03.01.2024;"Lastschrift Wien Energie";03.01.2024;-77,00;EUR;03.01.2024 03:00:10:555
02.01.2024;"Bezahlung Karte SPAR";02.01.2024;-9,99;EUR;02.01.2024 20:10:00:000
`,
    [
      '2024-01-05 23.45 EUR Bezahlung Karte MC/C 1234 BILLA DANKT 1010 WIEN',
      '2024-01-04 -2345.67 EUR Auftraggeber: Firma GmbH Gehalt',
      '2024-01-03 77.00 EUR Lastschrift Wien Energie',
      '2024-01-02 9.99 EUR Bezahlung Karte SPAR',
    ],
  ],
  [
    'bawag headerless',
    'windows-1252',
    `AT123456789012345678;BG/000001234 AMAZON PAYMENTS;05.01.2024;05.01.2024;-45,99;EUR
AT123456789012345678;MC/000001235 HOFER DANKT;04.01.2024;04.01.2024;-12,30;EUR
AT123456789012345678;VB/000001236 GEHALT FIRMA;03.01.2024;03.01.2024;+1.999,00;EUR
AT123456789012345678;OG/000001237 MIETE;02.01.2024;02.01.2024;-650,00;EUR
`,
    [
      '2024-01-05 45.99 EUR BG/000001234 AMAZON PAYMENTS',
      '2024-01-04 12.30 EUR MC/000001235 HOFER DANKT',
      '2024-01-03 -1999.00 EUR VB/000001236 GEHALT FIRMA',
      '2024-01-02 650.00 EUR OG/000001237 MIETE',
    ],
  ],
  [
    'george erste utf16',
    'utf-16le with mark',
    `"Buchungsdatum","Partnername","Partner IBAN","BIC/SWIFT","Partner Kontonummer","Bankleitzahl","Betrag","Währung","Buchungs-Details","Buchungsreferenz"
"05.01.2024","Spar Österreich","AT022011100003429660","GIBAATWW","","","-23,45","EUR","SPAR 1234 WIEN","201111712345ABC-00XYZ1"
"04.01.2024","Firma GmbH","AT483200000012345864","RLNWATWW","","","1.999,00","EUR","GEHALT 01","201111712345ABC-00XYZ2"
"03.01.2024","Wiener Netze","AT022011100003429661","GIBAATWW","","","-55,10","EUR","Rechnung","201111712345ABC-00XYZ3"
`,
    ['2024-01-05 23.45 EUR SPAR 1234 WIEN', '2024-01-04 -1999.00 EUR GEHALT 01', '2024-01-03 55.10 EUR Rechnung'],
  ],
  [
    'ubs new',
    'utf-8 with mark',
    `Kontonummer:;0123 00123456.01;
IBAN:;CH93 0076 2011 6238 5295 7;
Von:;2024-01-01;
Bis:;2024-01-31;
Anfangssaldo:;1000.00;
Schlusssaldo:;5110.20;
Bewertet in:;CHF;
Anzahl Transaktionen in diesem Zeitraum:;3;

Abschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Transaktions-Nr.;Beschreibung1;Beschreibung2;Beschreibung3;Fussnoten;
2024-01-25;;2024-01-25;2024-01-25;CHF;;4250.00;;5110.20;9999025TI1234567;"Arbeitgeber AG";"Gutschrift";"Zahlungsgrund: Lohn";;
2024-01-10;12:01:22;2024-01-10;2024-01-10;CHF;-89.80;;;860.20;9999010BN1234567;"Coop Pronto;8001 Zürich";"Debitkartenzahlung";"Karte 123";;
2024-01-05;;2024-01-05;2024-01-05;CHF;-50.00;;;950.00;9999005ZC1234567;"Swisscom";"e-banking-Vergütungsauftrag";"Referenz";;
`,
    [
      '2024-01-25 -4250.00 CHF Arbeitgeber AG Gutschrift Zahlungsgrund: Lohn',
      '2024-01-10 89.80 CHF Coop Pronto;8001 Zürich Debitkartenzahlung Karte 123',
      '2024-01-05 50.00 CHF Swisscom e-banking-Vergütungsauftrag Referenz',
    ],
  ],
  [
    'postfinance',
    'windows-1252',
    `Datum von:;="01.01.2024"
Datum bis:;="31.01.2024"
Konto:;="CH5604835012345678009"
Währung:;="CHF"

Buchungsdatum;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Valuta;Saldo in CHF
31.01.2024;"KAUF/DIENSTLEISTUNG VOM 30.01.2024 MIGROS";;-45.60;31.01.2024;1954.40
25.01.2024;"GUTSCHRIFT LOHN";2000.00;;25.01.2024;
20.01.2024;"LASTSCHRIFT SWISSCOM";;-65.00;20.01.2024;
02.01.2024;"BARGELDBEZUG";;-100.00;02.01.2024;65.00

Disclaimer:
Dies ist kein durch PostFinance AG erstelltes Dokument.
`,
    [
      '2024-01-31 45.60 CHF KAUF/DIENSTLEISTUNG VOM 30.01.2024 MIGROS',
      '2024-01-25 -2000.00 CHF GUTSCHRIFT LOHN',
      '2024-01-20 65.00 CHF LASTSCHRIFT SWISSCOM',
      '2024-01-02 100.00 CHF BARGELDBEZUG',
      'line 12 NOT_A_ROW',
      'line 13 NOT_A_ROW',
    ],
  ],
  [
    'zkb',
    'utf-8 with mark',
    `"Datum";"Buchungstext";"Whg";"Betrag Detail";"ZKB-Referenz";"Referenznummer";"Belastung CHF";"Gutschrift CHF";"Valuta";"Saldo CHF";"Zahlungszweck"
"31.01.2024";"Einkauf ZKB Visa Debit Card Nr. xxxx 1234, Coop Zürich";"";"";"L123";"";"23.50";"";"31.01.2024";"976.50";""
"25.01.2024";"Gutschrift Auftraggeber: Firma AG";"";"";"Z124";"";"";"500.00";"25.01.2024";"1000.00";"Lohn"
"20.01.2024";"Belastungen eBanking (2)";"";"";"Z125";"";"300.00";"";"20.01.2024";"500.00";""
"";"Sunrise";"CHF";"100.00";"";"";"";"";"";"";""
"";"Helsana";"CHF";"200.00";"";"";"";"";"";"";""
"05.01.2024";"Bezug Bancomat";"";"";"B1";"";"200.00";"";"05.01.2024";"800.00";""
`,
    [
      '2024-01-31 23.50 CHF Einkauf ZKB Visa Debit Card Nr. xxxx 1234, Coop Zürich',
      '2024-01-25 -500.00 CHF Gutschrift Auftraggeber: Firma AG',
      '2024-01-20 300.00 CHF Belastungen eBanking (2)',
      'line 5 NOT_A_ROW',
      'line 6 NOT_A_ROW',
      '2024-01-05 200.00 CHF Bezug Bancomat',
    ],
  ],
  [
    'one row swiss thousand',
    'utf-8',
    `Datum;Text;Belastung;Gutschrift;Saldo
31.01.2024;Miete;1'500.00;;3'500.00
25.01.2024;Lohn;;5'000.00;5'000.00
20.01.2024;Coop;12.35;;0.00
`,
    ['2024-01-31 1500.00 - Miete', '2024-01-25 -5000.00 - Lohn', '2024-01-20 12.35 - Coop'],
  ],
  [
    'two amounts: original + eur',
    'utf-8',
    `Buchungsdatum;Empfänger;Originalbetrag;Originalwährung;Betrag;Währung
31.01.2024;Shop US;-50,00;USD;-46,10;EUR
25.01.2024;Gehalt AG;2000,00;EUR;2000,00;EUR
20.01.2024;Laden;-5,00;EUR;-5,00;EUR
`,
    ['2024-01-31 46.10 EUR Shop US', '2024-01-25 -2000.00 EUR Gehalt AG', '2024-01-20 5.00 EUR Laden'],
  ],
];

describe('exports of banks in Germany, Austria and Switzerland', () => {
  test.each(SAMPLES)('%s', (_bank, encoding, file, expected) => {
    expect(readingOf(file, encoding)).toEqual(expected);
  });
});

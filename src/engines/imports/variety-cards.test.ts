import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../test/harness/bank-files/csv-reading.ts';

/** A file in the shape of one bank's export, and every row (date, amount, currency, text) or the refusal it gives. */
type Sample = readonly [bank: string, encoding: string, file: string, expected: readonly string[]];

const SAMPLES: readonly Sample[] = [
  [
    'a German card that is paid by direct debit with thanks',
    'utf-8',
    `Datum;Beschreibung;Betrag
31.01.2024;REWE BERLIN;-45,60
15.01.2024;Per Lastschrift dankend erhalten;300,00
10.01.2024;AMAZON;-12,00
`,
    [
      '2024-01-31 45.60 - REWE BERLIN',
      '2024-01-15 -300.00 - Per Lastschrift dankend erhalten',
      '2024-01-10 12.00 - AMAZON',
    ],
  ],
  [
    'a German card that is paid by direct debit',
    'utf-8',
    `Datum;Beschreibung;Betrag
31.01.2024;REWE BERLIN;-45,60
15.01.2024;LASTSCHRIFT;300,00
10.01.2024;AMAZON;-12,00
`,
    ['2024-01-31 45.60 - REWE BERLIN', '2024-01-15 -300.00 - LASTSCHRIFT', '2024-01-10 12.00 - AMAZON'],
  ],
  [
    'hanseatic',
    'utf-8',
    `Buchungsdatum;Transaktionsdatum;Händler;Kategorie;Betrag in EUR
31.01.2024;30.01.2024;REWE BERLIN;Lebensmittel;-45,60
15.01.2024;15.01.2024;ZAHLUNG PER LASTSCHRIFT;Zahlung;300,00
`,
    ['2024-01-31 45.60 EUR REWE BERLIN', '2024-01-15 -300.00 EUR ZAHLUNG PER LASTSCHRIFT'],
  ],
  [
    'a French card that is paid by direct debit',
    'utf-8',
    `Date;Libellé;Montant
31/01/2024;CARREFOUR;-45,60
15/01/2024;PRELEVEMENT SUR VOTRE COMPTE;300,00
10/01/2024;FNAC;-12,00
`,
    ['2024-01-31 45.60 - CARREFOUR', '2024-01-15 -300.00 - PRELEVEMENT SUR VOTRE COMPTE', '2024-01-10 12.00 - FNAC'],
  ],
  [
    'amex fr',
    'utf-8',
    `Date,Description,Titulaire de la carte,Numéro de compte,Montant
31/01/2024,CARREFOUR,J DUPONT,-12001,"45,60"
15/01/2024,PRELEVEMENT AUTOMATIQUE ENREGISTRE-MERCI,J DUPONT,-12001,"-300,00"
02/01/2024,AMAZON,J DUPONT,-12001,"12,00"
`,
    [
      '2024-01-31 45.60 - CARREFOUR',
      '2024-01-15 -300.00 - PRELEVEMENT AUTOMATIQUE ENREGISTRE-MERCI',
      '2024-01-02 12.00 - AMAZON',
    ],
  ],
  [
    'amex it',
    'utf-8',
    `Data,Descrizione,Titolare della carta,Numero conto,Importo
31/01/2024,ESSELUNGA MILANO,M ROSSI,-12001,"45,60"
15/01/2024,ADDEBITO IN C/C SALVO BUON FINE,M ROSSI,-12001,"-300,00"
02/01/2024,AMAZON,M ROSSI,-12001,"12,00"
`,
    [
      '2024-01-31 45.60 - ESSELUNGA MILANO',
      '2024-01-15 -300.00 - ADDEBITO IN C/C SALVO BUON FINE',
      '2024-01-02 12.00 - AMAZON',
    ],
  ],
  [
    'amex nl',
    'utf-8',
    `Datum,Omschrijving,Kaartlid,Rekening #,Bedrag
31-01-2024,ALBERT HEIJN,J DOE,-12001,"45,60"
15-01-2024,HARTELIJK BEDANKT VOOR UW BETALING,J DOE,-12001,"-300,00"
02-01-2024,AMAZON,J DOE,-12001,"12,00"
`,
    [
      '2024-01-31 45.60 - ALBERT HEIJN',
      '2024-01-15 -300.00 - HARTELIJK BEDANKT VOOR UW BETALING',
      '2024-01-02 12.00 - AMAZON',
    ],
  ],
  [
    'amex se',
    'utf-8',
    `Datum,Beskrivning,Kortmedlem,Konto #,Belopp
01/31/2024,ICA NARA,J DOE,-12001,"45,60"
01/15/2024,"BETALNING MOTTAGEN, TACK",J DOE,-12001,"-300,00"
01/02/2024,AMAZON,J DOE,-12001,"12,00"
`,
    ['2024-01-31 45.60 - ICA NARA', '2024-01-15 -300.00 - BETALNING MOTTAGEN, TACK', '2024-01-02 12.00 - AMAZON'],
  ],
  [
    'amex de',
    'utf-8',
    `Datum,Beschreibung,Karteninhaber,Kartennummer,Betrag
31/01/2024,REWE MARKT,J DOE,-12001,"45,60"
15/01/2024,ZAHLUNG/ÜBERWEISUNG ERHALTEN BESTEN DANK,J DOE,-12001,"-300,00"
02/01/2024,AMAZON,J DOE,-12001,"12,00"
`,
    [
      '2024-01-31 45.60 - REWE MARKT',
      '2024-01-15 -300.00 - ZAHLUNG/ÜBERWEISUNG ERHALTEN BESTEN DANK',
      '2024-01-02 12.00 - AMAZON',
    ],
  ],
  [
    'c6: amounts in two currencies are asked about',
    'utf-8',
    `Data de Compra;Nome no Cartão;Final do Cartão;Categoria;Descrição;Parcela;Valor (em US$);Cotação (em R$);Valor (em R$)
31/01/2024;JOAO S;1234;Supermercados;PAO DE ACUCAR;Única;0;0;145.60
15/01/2024;JOAO S;1234;-;Inclusao de Pagamento;Única;0;0;-850.00
12/01/2024;JOAO S;1234;Serviços;AMAZON.COM;Única;-5.00;5.00;-25.00
11/01/2024;JOAO S;1234;Serviços;AMAZON.COM;Única;5.00;5.00;25.00
`,
    ['WRONG_MAPPING column_mapping'],
  ],
  [
    'paypal de',
    'utf-8 with mark',
    `"Datum","Uhrzeit","Zeitzone","Name","Typ","Status","Währung","Brutto","Gebühr","Netto","Absender E-Mail-Adresse","Empfänger E-Mail-Adresse","Transaktionscode","Lieferadresse","Adress-Status","Artikelbezeichnung","Guthaben"
"01.02.2024","10:11:12","CET","Spotify AB","Zahlung im Einzugsverfahren","Abgeschlossen","EUR","-9,99","0,00","-9,99","a@b.de","x@s.com","1AB","","","","-9,99"
"01.02.2024","10:11:13","CET","","Bankgutschrift auf PayPal-Konto","Abgeschlossen","EUR","9,99","0,00","9,99","","a@b.de","2AB","","","","0,00"
"03.02.2024","12:00:00","CET","Käufer Max","Handyzahlung","Abgeschlossen","EUR","50,00","-1,75","48,25","m@x.de","a@b.de","3AB","","","","48,25"
"04.02.2024","12:00:00","CET","Hotel","Autorisierung","Ausstehend","EUR","-200,00","0,00","-200,00","a@b.de","h@x.de","4AB","","","","48,25"
`,
    [
      '2024-02-01 9.99 EUR Spotify AB',
      '2024-02-01 -9.99 EUR Bankgutschrift auf PayPal-Konto',
      '2024-02-03 -48.25 EUR Käufer Max',
      'line 5 PENDING',
    ],
  ],
  [
    'paypal es',
    'utf-8 with mark',
    `"Fecha","Hora","Zona horaria","Nombre","Tipo","Estado","Divisa","Bruto","Comisión","Neto","Correo electrónico del remitente","Correo electrónico del destinatario","Id. de transacción","Saldo"
"15/02/2024","10:11:12","CET","Spotify","Pago preaprobado","Completado","EUR","-9,99","0,00","-9,99","a","b","1AB","-9,99"
"15/02/2024","10:11:13","CET","","Transferencia bancaria","Completado","EUR","9,99","0,00","9,99","a","b","2AB","0,00"
"16/02/2024","10:11:13","CET","Max","Pago móvil","Completado","EUR","50,00","-1,75","48,25","a","b","3AB","48,25"
`,
    ['2024-02-15 9.99 EUR Spotify', '2024-02-15 -9.99 EUR Transferencia bancaria', '2024-02-16 -48.25 EUR Max'],
  ],
  [
    'paypal pl',
    'utf-8 with mark',
    `"Data","Godzina","Strefa czasowa","Nazwa","Typ","Stan","Waluta","Brutto","Opłata","Netto","Z adresu e-mail","Na adres e-mail","Numer transakcji","Saldo"
"15.02.2024","10:11:12","CET","Spotify","Płatność","Zakończono","PLN","-9,99","0,00","-9,99","a","b","1AB","-9,99"
"15.02.2024","10:11:13","CET","","Przelew bankowy","Zakończono","PLN","9,99","0,00","9,99","a","b","2AB","0,00"
`,
    ['2024-02-15 9.99 PLN Spotify', '2024-02-15 -9.99 PLN Przelew bankowy'],
  ],
  [
    'paypal fr',
    'utf-8 with mark',
    `"Date","Heure","Fuseau horaire","Nom","Type","État","Devise","Avant commission","Commission","Net","De l'adresse email","À l'adresse email","Numéro de transaction","Solde"
"15/02/2024","10:11:12","CET","Spotify","Paiement préapprouvé","Terminé","EUR","-9,99","0,00","-9,99","a","b","1AB","-9,99"
"15/02/2024","10:11:13","CET","","Virement bancaire","Terminé","EUR","9,99","0,00","9,99","a","b","2AB","0,00"
"16/02/2024","10:11:13","CET","Max","Paiement mobile","Terminé","EUR","50,00","-1,75","48,25","a","b","3AB","48,25"
`,
    ['2024-02-15 9.99 EUR Spotify', '2024-02-15 -9.99 EUR Virement bancaire', '2024-02-16 -48.25 EUR Max'],
  ],
];

describe('exports of cards and of PayPal in many languages', () => {
  test.each(SAMPLES)('%s', (_bank, encoding, file, expected) => {
    expect(readingOf(file, encoding)).toEqual(expected);
  });
});

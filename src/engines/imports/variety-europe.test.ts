import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../test/harness/bank-files/csv-reading.ts';

/** A file in the shape of one bank's export, and every row (date, amount, currency, text) or the refusal it gives. */
type Sample = readonly [bank: string, encoding: string, file: string, expected: readonly string[]];

const SAMPLES: readonly Sample[] = [
  [
    'credit agricole',
    'windows-1252',
    `Téléchargement du 05/02/2024;

M. DUPONT JEAN
Compte de Dépôt carte n° 12345678901;
Solde au 05/02/2024 1 234,56 €
Liste des opérations du compte entre le 01/01/2024 et le 31/01/2024;

Date;Libellé;Débit euros;Crédit euros;
31/01/2024;"PAIEMENT PAR CARTE
X1234 CARREFOUR PARIS 30/01 ";45,60;;
25/01/2024;"VIREMENT EN VOTRE FAVEUR
SALAIRE JANVIER ";;2 100,00;
15/01/2024;"PRELEVEMENT
EDF ";89,90;;
`,
    [
      '2024-01-31 45.60 EUR PAIEMENT PAR CARTE X1234 CARREFOUR PARIS 30/01',
      '2024-01-25 -2100.00 EUR VIREMENT EN VOTRE FAVEUR SALAIRE JANVIER',
      '2024-01-15 89.90 EUR PRELEVEMENT EDF',
    ],
  ],
  [
    'societe generale',
    'windows-1252',
    `="0123400012345678";01/01/2024;31/01/2024;
date_comptabilisation;libellé_complet_operation;montant_operation;devise;
30/01/2024;CARTE X1234 29/01 MONOPRIX PARIS;-25,30;EUR
25/01/2024;VIR RECU 1234567 DE: EMPLOYEUR SA;1850,00;EUR
10/01/2024;PRELEVEMENT EUROPEEN FREE MOBILE;-19,99;EUR
`,
    [
      '2024-01-30 25.30 EUR CARTE X1234 29/01 MONOPRIX PARIS',
      '2024-01-25 -1850.00 EUR VIR RECU 1234567 DE: EMPLOYEUR SA',
      '2024-01-10 19.99 EUR PRELEVEMENT EUROPEEN FREE MOBILE',
    ],
  ],
  [
    'banque postale',
    'windows-1252',
    `Numéro Compte   :;1234567A033
Type         :;CCP
Compte tenu en  :;euros
Date            :;05/02/2024
Solde (EUROS)   :;1234,56
Solde (FRANCS)  :;8098,18

Date;Libellé;Montant(EUROS);Montant(FRANCS)
31/01/2024;"ACHAT CB LECLERC 30.01.24";-45,60;-299,12
25/01/2024;"VIREMENT DE SALAIRE";1500,00;9839,36
15/01/2024;"PRELEVEMENT DE ORANGE";-29,99;-196,72
`,
    [
      '2024-01-31 45.60 EUR ACHAT CB LECLERC 30.01.24',
      '2024-01-25 -1500.00 EUR VIREMENT DE SALAIRE',
      '2024-01-15 29.99 EUR PRELEVEMENT DE ORANGE',
    ],
  ],
  [
    'boursorama',
    'utf-8 with mark',
    `dateOp;dateVal;label;category;categoryParent;supplierFound;amount;comment;accountNum;accountLabel;accountbalance
2024-01-31;2024-01-31;"CARTE 30/01/24 FRANPRIX CB*1234";"Alimentation";"Vie quotidienne";"franprix";"-12,34";;"00012345678";"BoursoBank";1 234.56
2024-01-25;2024-01-25;"VIR SALAIRE";"Salaires";"Revenus";"employeur";"1 987,00";;"00012345678";"BoursoBank";1 234.56
2024-01-15;2024-01-15;"PRLV NETFLIX";"Abonnements";"Loisirs";"netflix";"-13,49";;"00012345678";"BoursoBank";1 234.56
`,
    [
      '2024-01-31 12.34 - CARTE 30/01/24 FRANPRIX CB*1234',
      '2024-01-25 -1987.00 - VIR SALAIRE',
      '2024-01-15 13.49 - PRLV NETFLIX',
    ],
  ],
  [
    'bbva',
    'utf-8 with mark',
    `;;;;;;;;;
;Últimos movimientos;;;;;;;;
;;;;;;;;;
;F.Valor;Fecha;Concepto;Movimiento;Importe;Divisa;Disponible;Divisa;Observaciones
;31/01/2024;31/01/2024;Mercadona valencia;Pago con tarjeta;-45,60;EUR;954,40;EUR;4940 MERCADONA
;25/01/2024;25/01/2024;Abono de nómina;Transferencia recibida;900,00;EUR;1.000,00;EUR;NOMINA
;20/01/2024;20/01/2024;Recibo luz;Adeudo;-50,00;EUR;100,00;EUR;IBERDROLA
`,
    [
      '2024-01-31 45.60 EUR Mercadona valencia',
      '2024-01-25 -900.00 EUR Abono de nómina',
      '2024-01-20 50.00 EUR Recibo luz',
    ],
  ],
  [
    'caixabank',
    'windows-1252',
    `Concepto;Fecha;Importe;Saldo
COMPRA TARJ. MERCADONA;31/01/2024;-45,60EUR;954,40EUR
NOMINA EMPRESA;25/01/2024;900,00EUR;1.000,00EUR
RECIBO IBERDROLA;20/01/2024;-50,00EUR;100,00EUR
`,
    [
      '2024-01-31 45.60 EUR COMPRA TARJ. MERCADONA',
      '2024-01-25 -900.00 EUR NOMINA EMPRESA',
      '2024-01-20 50.00 EUR RECIBO IBERDROLA',
    ],
  ],
  [
    'intesa',
    'utf-8 with mark',
    `Lista Movimenti

Conto:;1000/00012345
Intestatario;MARIO ROSSI

Data contabile;Data valuta;Descrizione;Accrediti;Addebiti;Descrizione estesa;Mezzo
31.01.2024;30.01.2024;Pagamento Pos;;-45,60;ESSELUNGA;App
27.01.2024;27.01.2024;Stipendio O Pensione;1.850,00;;BONIFICO;
15.01.2024;15.01.2024;Addebito Diretto;;-78,12;ENEL;
`,
    [
      '2024-01-31 45.60 - Pagamento Pos',
      '2024-01-27 -1850.00 - Stipendio O Pensione',
      '2024-01-15 78.12 - Addebito Diretto',
    ],
  ],
  [
    'cgd',
    'windows-1252',
    `Consultar saldos e movimentos à ordem - 05-02-2024 13:13

Conta ;0123456789012 - EUR - Conta Extracto 
Data de início ;01-01-2024
Data de fim ;31-01-2024

Data mov. ;Data valor ;Descrição ;Débito ;Crédito ;Saldo contabilístico ;Saldo disponível ;Categoria ;
31-01-2024;31-01-2024;COMPRA CONTINENTE ;45,60;;954,40;954,40;Compras ;
25-01-2024;25-01-2024;TRANSFERENCIA SALARIO ;;900,00;1.000,00;1.000,00;Diversos ;
20-01-2024;20-01-2024;DD EDP COMERCIAL ;50,00;;100,00;100,00;Diversos ;
 ; ; ; ;Saldo contabilístico ;954,40 EUR ; ; ;
`,
    [
      '2024-01-31 45.60 - COMPRA CONTINENTE',
      '2024-01-25 -900.00 - TRANSFERENCIA SALARIO',
      '2024-01-20 50.00 - DD EDP COMERCIAL',
      'line 11 STATED_BALANCE',
    ],
  ],
  [
    'abn tab',
    'utf-8',
    `123456789\tEUR\t20240103\t1000,00\t954,40\t20240103\t-45,60\tBEA, Betaalpas ALBERT HEIJN 1234
123456789\tEUR\t20240125\t954,40\t2954,40\t20240125\t2000,00\tSEPA Overboeking Werkgever Salaris
123456789\tEUR\t20240128\t2954,40\t2924,40\t20240128\t-30,00\tSEPA Incasso Ziggo
`,
    [
      '2024-01-03 45.60 EUR BEA, Betaalpas ALBERT HEIJN 1234',
      '2024-01-25 -2000.00 EUR SEPA Overboeking Werkgever Salaris',
      '2024-01-28 30.00 EUR SEPA Incasso Ziggo',
    ],
  ],
  [
    'triodos',
    'utf-8',
    `"31-01-2024","NL01TRIO0123456789","45,60","Debet","Ziggo BV","NL02INGB0001234567","IC","Factuur januari","954,40"
"29-01-2024","NL01TRIO0123456789","100,00","Credit","Werkgever","NL03INGB0001234568","ET","Salaris","1.000,00"
"25-01-2024","NL01TRIO0123456789","20,50","Debet","Albert Heijn","","BA","Pas 123","900,00"
`,
    ['2024-01-31 45.60 - Ziggo BV', '2024-01-29 -100.00 - Werkgever', '2024-01-25 20.50 - Albert Heijn'],
  ],
  [
    'argenta',
    'utf-8 with mark',
    `Rekening;Boekdatum;Valutadatum;Referentie;Beschrijving;Bedrag;Munt;Verrichtingsdatum;Rekening tegenpartij;Naam tegenpartij;Mededeling
BE11 9731 2345 6789;31-01-2024;31-01-2024;REF1;Betaling Bancontact;-45,60;EUR;30-01-2024;;COLRUYT;
BE11 9731 2345 6789;25-01-2024;25-01-2024;REF2;Overschrijving;1900,00;EUR;25-01-2024;BE33;WERKGEVER;Loon
BE11 9731 2345 6789;20-01-2024;20-01-2024;REF3;Domiciliëring;-60,00;EUR;19-01-2024;BE44;ENGIE;Factuur
`,
    [
      '2024-01-31 45.60 EUR Betaling Bancontact',
      '2024-01-25 -1900.00 EUR Overschrijving',
      '2024-01-20 60.00 EUR Domiciliëring',
    ],
  ],
  [
    'swedbank',
    'windows-1252',
    `* Transaktioner Period 2024-01-01 – 2024-01-31 Skapad 2024-02-05 10:00 CET
Radnummer,Clearingnummer,Kontonummer,Produkt,Valuta,Bokföringsdag,Transaktionsdag,Valutadag,Referens,Beskrivning,Belopp,Bokfört saldo
1,83279,9012345678,"Privatkonto",SEK,2024-01-31,2024-01-30,2024-01-31,"ICA","ICA NARA",-45.60,954.40
2,83279,9012345678,"Privatkonto",SEK,2024-01-25,2024-01-25,2024-01-25,"LÖN","LÖN",900.00,1000.00
3,83279,9012345678,"Privatkonto",SEK,2024-01-20,2024-01-19,2024-01-20,"SL","SL",-39.00,100.00
`,
    ['2024-01-31 45.60 SEK ICA NARA', '2024-01-25 -900.00 SEK LÖN', '2024-01-20 39.00 SEK SL'],
  ],
  [
    'danske',
    'windows-1252',
    `"Dato";"Tekst";"Beløb";"Saldo";"Status";"Afstemt"
"31.01.2024";"Netto 1234";"-145,60";"9.854,40";"Udført";"Nej"
"25.01.2024";"Løn";"5.000,00";"10.000,00";"Udført";"Nej"
"20.01.2024";"MobilePay";"-30,00";"5.000,00";"Udført";"Nej"
"02.02.2024";"Reservation";"-20,00";"";"Venter";"Nej"
`,
    ['2024-01-31 145.60 - Netto 1234', '2024-01-25 -5000.00 - Løn', '2024-01-20 30.00 - MobilePay', 'line 5 PENDING'],
  ],
  [
    'revolut fr',
    'utf-8',
    `Type,Produit,Date de début,Date de fin,Description,Montant,Frais,Devise,État,Solde
CARD_PAYMENT,Valeur actuelle,2024-01-30 10:11:12,2024-01-31 01:02:03,Carrefour,-45.60,0.00,EUR,TERMINÉ,954.40
TOPUP,Valeur actuelle,2024-02-01 10:11:12,2024-02-01 10:11:13,Recharge,100.00,0.00,EUR,TERMINÉ,1054.40
CARD_PAYMENT,Valeur actuelle,2024-02-02 10:11:12,,Uber,-10.00,0.00,EUR,EN ATTENTE,
ATM,Valeur actuelle,2024-02-03 10:11:12,2024-02-03 11:00:00,Retrait,-50.00,1.00,EUR,TERMINÉ,1003.40
`,
    [
      '2024-01-31 45.60 EUR Carrefour',
      '2024-02-01 -100.00 EUR Recharge',
      'line 4 PENDING',
      '2024-02-03 51.00 EUR Retrait',
    ],
  ],
  [
    'mbank 1250',
    'utf-8 with mark',
    `mBank S.A. Bankowość Detaliczna;
Klient;
JAN KOWALSKI;

#Data operacji;#Opis operacji;#Rachunek;#Kategoria;#Kwota;
2024-01-31;"ŻABKA Z1234 KRAKÓW";"eKonto 1111 ... 2222";"Żywność";-45,60 PLN;;
2024-01-25;"PRZELEW PRZYCHODZĄCY WYNAGRODZENIE";"eKonto 1111 ... 2222";"Wpływy";5 000,00 PLN;;
2024-01-20;"ORANGE POLSKA";"eKonto 1111 ... 2222";"Telefon";-59,99 PLN;;
`,
    [
      '2024-01-31 45.60 PLN ŻABKA Z1234 KRAKÓW',
      '2024-01-25 -5000.00 PLN PRZELEW PRZYCHODZĄCY WYNAGRODZENIE',
      '2024-01-20 59.99 PLN ORANGE POLSKA',
    ],
  ],
  [
    'pko',
    'windows-1250',
    `"Data operacji","Data waluty","Typ transakcji","Kwota","Waluta","Saldo po transakcji","Opis transakcji","","",""
"2024-01-31","2024-01-30","Płatność kartą","-45.60","PLN","+954.40","Tytuł: 0001","Lokalizacja: Adres: BIEDRONKA","Data i czas operacji: 2024-01-30",""
"2024-01-25","2024-01-25","Przelew na konto","+900.00","PLN","+1000.00","Nazwa nadawcy: FIRMA","Tytuł: Wynagrodzenie","",""
"2024-01-20","2024-01-20","Zlecenie stałe","-30.00","PLN","+100.00","Nazwa odbiorcy: X","Tytuł: Czynsz","",""
`,
    [
      '2024-01-31 45.60 PLN Tytuł: 0001',
      '2024-01-25 -900.00 PLN Nazwa nadawcy: FIRMA',
      '2024-01-20 30.00 PLN Nazwa odbiorcy: X',
    ],
  ],
  [
    'fio',
    'utf-8 with mark',
    `accountId;2345678901
bankId;2010
currency;CZK
iban;CZ7920100000002345678901
openingBalance;1000,00
closingBalance;1954,40

ID pohybu;Datum;Objem;Měna;Protiúčet;Název protiúčtu;Kód banky;Název banky;KS;VS;SS;Poznámka;Zpráva pro příjemce;Typ;Provedl
26001;25.01.2024;1000,00;CZK;123;FIRMA;0100;KB;;1;;Mzda;;Bezhotovostní příjem;
26002;31.01.2024;-45,60;CZK;;ALBERT;;;;2;;Nákup: ALBERT;;Platba kartou;
`,
    ['2024-01-25 -1000.00 CZK Mzda', '2024-01-31 45.60 CZK Nákup: ALBERT'],
  ],
  [
    'otp hu',
    'utf-8 with mark',
    `123456789,T,-4560,HUF,20240131,20240130,95440,,,"SPAR BUDAPEST, -ÉRINT",,,"VÁSÁRLÁS KÁRTYÁVAL"
123456789,J,90000,HUF,20240125,20240125,100000,12345678,"FIRMA KFT","MUNKABÉR",,,"ÁTUTALÁS"
123456789,T,-3000,HUF,20240120,20240120,10000,,,"TELEKOM",,,"CSOPORTOS BESZEDÉS"
`,
    [
      '2024-01-31 4560.00 HUF SPAR BUDAPEST, -ÉRINT',
      '2024-01-25 -90000.00 HUF MUNKABÉR',
      '2024-01-20 3000.00 HUF TELEKOM',
    ],
  ],
  [
    'tinkoff utf8',
    'utf-8',
    `"Дата операции";"Дата платежа";"Номер карты";"Статус";"Сумма операции";"Валюта операции";"Сумма платежа";"Валюта платежа";"Кэшбэк";"Категория";"MCC";"Описание";"Бонусы (включая кэшбэк)"
"31.01.2024 20:11:12";"31.01.2024";"*1234";"OK";"-456,00";"RUB";"-456,00";"RUB";"";"Супермаркеты";"5411";"Пятёрочка";"4,00"
"25.01.2024 10:00:00";"25.01.2024";"";"OK";"50000,00";"RUB";"50000,00";"RUB";"";"Пополнения";"";"Зарплата";"0,00"
"20.01.2024 10:00:00";"20.01.2024";"*1234";"FAILED";"-100,00";"RUB";"-100,00";"RUB";"";"Такси";"4121";"Яндекс";"0,00"
`,
    ['2024-01-31 456.00 RUB Пятёрочка', '2024-01-25 -50000.00 RUB Зарплата', 'line 4 STATUS_IGNORED'],
  ],
  [
    'tinkoff 1251',
    'windows-1251',
    `"Дата операции";"Дата платежа";"Номер карты";"Статус";"Сумма операции";"Валюта операции";"Описание"
"31.01.2024 20:11:12";"31.01.2024";"*1234";"OK";"-456,00";"RUB";"Пятёрочка"
`,
    ['AMBIGUOUS_FORMAT encoding'],
  ],
  [
    'santander uk txt',
    'utf-8',
    `From: 01/01/2024 to 31/01/2024

Date;Type;Merchant/Description;Debit/Credit;Balance
31/01/2024;CARD PAYMENT;TESCO;-£45.60;£954.40
25/01/2024;BANK GIRO CREDIT;EMPLOYER;+£900.00;£1,000.00
20/01/2024;DIRECT DEBIT;EDF;-£30.00;£100.00
`,
    ['2024-01-31 45.60 GBP TESCO', '2024-01-25 -900.00 GBP EMPLOYER', '2024-01-20 30.00 GBP EDF'],
  ],
  [
    'nationwide',
    'windows-1252',
    `"Account Name:","FlexAccount ****12345"
"Account Balance:","£954.40"
"Available Balance: ","£1,154.40"

"Date","Transaction type","Description","Paid out","Paid in","Balance"
"20 Jan 2024","Direct debit","EDF ENERGY","£30.00","","£100.00"
"25 Jan 2024","Bank credit","EMPLOYER LTD","","£900.00","£1000.00"
"31 Jan 2024","Visa purchase","TESCO","£45.60","","£954.40"
`,
    ['2024-01-20 30.00 GBP EDF ENERGY', '2024-01-25 -900.00 GBP EMPLOYER LTD', '2024-01-31 45.60 GBP TESCO'],
  ],
  [
    'airbank',
    'utf-8 with mark',
    `"Datum provedení";"Směr úhrady";"Typ úhrady";"Kategorie plateb";"Měna účtu";"Částka v měně účtu";"Poplatek v měně účtu";"Název protistrany";"Zpráva pro příjemce";"Datum zaúčtování"
"31/01/2024";"Odchozí";"Platba kartou";"Jídlo";"CZK";"-456,00";"0,00";"ALBERT";"";"01/02/2024"
"25/01/2024";"Příchozí";"Příchozí úhrada";"Příjem";"CZK";"5000,00";"0,00";"FIRMA";"Mzda";"25/01/2024"
`,
    ['2024-02-01 456.00 CZK ALBERT', '2024-01-25 -5000.00 CZK Mzda'],
  ],
  [
    'revolut de',
    'utf-8',
    `Art,Produkt,Datum des Beginns,Datum des Abschlusses,Beschreibung,Betrag,Gebühr,Währung,State,Kontostand
Kartenzahlung,Aktuell,2026-01-30 09:12:11,2026-01-31 10:01:22,REWE,-12.50,0.00,EUR,ABGESCHLOSSEN,987.50
Kartenzahlung,Aktuell,2026-02-02 09:12:11,,UBER,-5.00,0.00,EUR,RÜCKGÄNGIG GEMACHT,
`,
    ['2026-01-31 12.50 EUR REWE', 'line 3 STATUS_IGNORED'],
  ],
  [
    'handelsbanken',
    'windows-1252',
    `Reskontradatum;Transaktionsdatum;Text;Belopp;Saldo
2026-01-30;2026-01-29;ICA;-120,50;1 879,50
2026-01-28;2026-01-28;LÖN;1 500,00;2 000,00
`,
    ['2026-01-30 120.50 - ICA', '2026-01-28 -1500.00 - LÖN'],
  ],
  [
    'alior',
    'windows-1250',
    `Data transakcji;Data księgowania;Nazwa nadawcy;Nazwa odbiorcy;Szczegóły transakcji;Kwota operacji;Waluta operacji
30-01-2026;30-01-2026;JAN KOWALSKI;BIEDRONKA;Zakupy;-45,60;PLN
28-01-2026;28-01-2026;ACME;JAN KOWALSKI;Wynagrodzenie;1500,00;PLN
`,
    ['2026-01-30 45.60 PLN Zakupy', '2026-01-28 -1500.00 PLN Wynagrodzenie'],
  ],
  [
    'hello bank',
    'windows-1252',
    `Crédit immobilier;;;;12 345,00
"Date operation";"Libelle court";"Type operation";"Libelle operation";"Montant operation en euro"
31-01-2024;CARTE;FACTURE CARTE;DU 300124 CARREFOUR;-45,60
25-01-2024;VIR;VIREMENT RECU;EMPLOYEUR;2100,00
`,
    ['2024-01-31 45.60 EUR DU 300124 CARREFOUR', '2024-01-25 -2100.00 EUR EMPLOYEUR'],
  ],
];

describe('exports of banks in the rest of Europe', () => {
  test.each(SAMPLES)('%s', (_bank, encoding, file, expected) => {
    expect(readingOf(file, encoding)).toEqual(expected);
  });
});

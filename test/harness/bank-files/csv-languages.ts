/** What banks print in their files, language by language: for ledgers that are written in many forms. */

export type Kind = 'card' | 'transferOut' | 'transferIn' | 'directDebit' | 'cash' | 'fee' | 'salary';

export interface Language {
  readonly code: string;
  /** Written in the letters of windows-1252, or in those of Central Europe. */
  readonly western: boolean;
  readonly central: boolean;
  readonly names: Readonly<
    Record<
      | 'date'
      | 'text'
      | 'note'
      | 'action'
      | 'type'
      | 'amount'
      | 'debit'
      | 'credit'
      | 'direction'
      | 'balance'
      | 'account',
      string
    >
  >;
  readonly types: Readonly<Record<Kind, string>>;
  readonly instruments: { readonly card: string; readonly transfer: string };
  readonly out: string;
  readonly into: string;
  readonly opening: string;
  readonly shops: readonly string[];
}

const NAME_KEYS = [
  'date',
  'text',
  'note',
  'action',
  'type',
  'amount',
  'debit',
  'credit',
  'direction',
  'balance',
  'account',
] as const;
const KINDS = ['card', 'transferOut', 'transferIn', 'directDebit', 'cash', 'fee', 'salary'] as const;

function language(
  code: string,
  letters: 'western' | 'central',
  names: string,
  types: string,
  instruments: readonly [card: string, transfer: string],
  [out, into, opening]: readonly [out: string, into: string, opening: string],
  shops: string,
): Language {
  const list = <K extends string>(keys: readonly K[], texts: string): Record<K, string> => {
    const parts = texts.split('|');
    if (parts.length !== keys.length) throw new Error(`${code} has ${parts.length} words for ${keys.length} places.`);
    return Object.fromEntries(keys.map((key, i) => [key, parts[i]])) as Record<K, string>;
  };
  return {
    code,
    western: letters === 'western',
    central: letters === 'central',
    names: list(NAME_KEYS, names),
    types: list(KINDS, types),
    instruments: { card: instruments[0], transfer: instruments[1] },
    out,
    into,
    opening,
    shops: shops.split('|'),
  };
}

export const LANGUAGES: readonly Language[] = [
  language(
    'en',
    'western',
    'Date|Description|Note|Action|Type|Amount|Debit|Credit|Debit/Credit|Balance|Account',
    'Card Payment|Transfer|Transfer|Direct Debit|ATM Withdrawal|Fee|Salary',
    ['Credit card', 'SEPA Credit Transfer'],
    ['Debit', 'Credit', 'Opening Balance'],
    'Café Noir|Market Hall|Bäckerei|Corner Shop|Señor Taco',
  ),
  language(
    'de',
    'western',
    'Buchungstag|Verwendungszweck|Notiz|Aktion|Buchungsart|Betrag|Soll|Haben|Soll/Haben|Saldo|Konto',
    'Kartenzahlung|Überweisung|Überweisung|Lastschrift|Geldautomat|Entgelt|Gehalt',
    ['Kreditkarte', 'SEPA-Überweisung'],
    ['S', 'H', 'Saldovortrag'],
    'Bäckerei Müller|Getränke Groß|Apotheke|Café Süß|Markthalle',
  ),
  language(
    'fr',
    'western',
    'Date opération|Libellé|Note|Action|Type opération|Montant|Débit|Crédit|Sens|Solde|Compte',
    'Paiement carte|Virement émis|Virement reçu|Prélèvement|Retrait DAB|Frais|Salaire',
    ['Carte de crédit', 'Virement SEPA'],
    ['Débit', 'Crédit', 'Solde précédent'],
    'Boulangerie Crème|Café de la Gare|Épicerie|Marché|Hôtel Forêt',
  ),
  language(
    'es',
    'western',
    'Fecha operación|Concepto|Nota|Acción|Tipo movimiento|Importe|Cargo|Abono|Signo|Saldo|Cuenta',
    'Compra con tarjeta|Transferencia|Transferencia|Adeudo|Retirada cajero|Comisión|Nómina',
    ['Tarjeta de crédito', 'Transferencia SEPA'],
    ['Cargo', 'Abono', 'Saldo anterior'],
    'Panadería Peña|Café Niño|Farmacia|Estación|Mercado',
  ),
  language(
    'it',
    'western',
    'Data contabile|Descrizione|Nota|Azione|Tipo|Importo|Addebito|Accredito|Dare/Avere|Saldo|Conto',
    'Pagamento carta|Bonifico|Bonifico|Addebito diretto|Prelievo|Commissione|Stipendio',
    ['Carta di credito', 'Bonifico SEPA'],
    ['Dare', 'Avere', 'Saldo iniziale'],
    'Caffè Città|Perché No|Farmacia|Mercato|Panificio Più',
  ),
  language(
    'nl',
    'western',
    'Boekdatum|Omschrijving|Notitie|Actie|Mutatiesoort|Bedrag|Af|Bij|Af Bij|Saldo|Rekening',
    'Betaalautomaat|Overboeking|Overboeking|Incasso|Geldautomaat|Kosten|Salaris',
    ['Creditcard', 'SEPA Overboeking'],
    ['Af', 'Bij', 'Beginsaldo'],
    'Bakkerij Coëlho|Café België|Apotheek|Markthal|Eén Stap',
  ),
  language(
    'pt',
    'western',
    'Data movimento|Descrição|Nota|Ação|Tipo|Montante|Débito|Crédito|Direction|Saldo|Conta',
    'Compra cartão|Transferência|Transferência|Débito direto|Levantamento|Comissão|Salário',
    ['Cartão de crédito', 'Transferência SEPA'],
    ['Débito', 'Crédito', 'Saldo inicial'],
    'Padaria Pão|Café São João|Farmácia|Mercado|Estação',
  ),
  language(
    'sv',
    'western',
    'Bokföringsdatum|Beskrivning|Anteckning|Åtgärd|Transaktionstyp|Belopp|Uttag|Insättning|Debet/Kredit|Saldo|Konto',
    'Kortköp|Överföring|Överföring|Autogiro|Uttag|Avgift|Lön',
    ['Kreditkort', 'Överföring'],
    ['Debet', 'Kredit', 'Ingående saldo'],
    'Bageri Öst|Kafé Älg|Apotek|Torghallen|Går Ner',
  ),
  language(
    'pl',
    'central',
    'Data operacji|Opis operacji|Notatka|Akcja|Typ transakcji|Kwota|Obciążenia|Uznania|D/K|Saldo|Rachunek',
    'Płatność kartą|Przelew|Przelew|Polecenie zapłaty|Wypłata z bankomatu|Opłata|Wynagrodzenie',
    ['Karta kredytowa', 'Przelew'],
    ['D', 'K', 'Saldo początkowe'],
    'Piekarnia Żółw|Kawiarnia Łąka|Apteka Źródło|Rynek|Ćma',
  ),
  language(
    'cs',
    'central',
    'Datum zaúčtování|Popis operace|Poznámka|Akce|Typ transakce|Částka|Výdaj|Příjem|Směr|Zůstatek|Účet',
    'Platba kartou|Odchozí úhrada|Příchozí úhrada|Inkaso|Výběr z bankomatu|Poplatek|Mzda',
    ['Kreditní karta', 'Úhrada'],
    ['Výdaj', 'Příjem', 'Počáteční zůstatek'],
    'Pekařství Říp|Kavárna Žofín|Lékárna|Tržiště|Šťastný den',
  ),
  language(
    'hu',
    'central',
    'Könyvelés dátuma|Közlemény|Jegyzet|Művelet|Tranzakció típusa|Összeg|Terhelés|Jóváírás|Bevétel/Kiadás|Egyenleg|Számla',
    'Kártyás vásárlás|Átutalás|Átutalás|Csoportos beszedés|Készpénzfelvétel|Díj|Munkabér',
    ['Hitelkártya', 'Átutalás'],
    ['Kiadás', 'Bevétel', 'Nyitó egyenleg'],
    'Pékség Őz|Kávézó Tűz|Gyógyszertár|Piac|Cukrászda',
  ),
];

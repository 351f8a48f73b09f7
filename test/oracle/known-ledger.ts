import { toDateOnly } from '../../src/kernel/dates.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import type { Kind, Language } from '../harness/bank-files/csv-languages.ts';

/** A household ledger that is known to the cent: what every file made of it must be read as. */

export type KindOfAccount = 'checking' | 'card' | 'loan';
export type KindOfRow = Kind | 'refund';

export interface KnownRow {
  readonly date: string;
  /** Positive = money out. Hundredths, in currencies without a minor unit too. */
  readonly cents: number;
  readonly kind: KindOfRow;
  /** What the bank prints. */
  readonly text: string;
  readonly counterparty: string;
  readonly status: 'posted' | 'pending' | 'ignored';
  /** What is owned after the row, negative when owed; pending and ignored rows do not change it. */
  readonly balanceCents: number;
}

export interface KnownAccount {
  readonly name: string;
  readonly iban: string;
  readonly kind: KindOfAccount;
  readonly currency: string;
  readonly openingCents: number;
  readonly closingCents: number;
  /** Oldest first. */
  readonly rows: readonly KnownRow[];
}

export interface KnownLedger {
  readonly language: Language;
  readonly accounts: readonly KnownAccount[];
}

/** What a ledger is like; `chosenTraits` leaves it to a seed. */
export interface LedgerTraits {
  readonly language: Language;
  readonly kind: KindOfAccount;
  /** One account for each currency; a currency may occur twice. */
  readonly currencies: readonly string[];
  /** Rows of each account. */
  readonly size: number;
  readonly months: number;
  /** Days: of the whole month, none after the 12th, or the same day in each month. */
  readonly days: 'any' | 'early' | 'monthly';
  /** Amounts: any, whole units, or whole thousands. */
  readonly amounts: 'any' | 'whole' | 'thousands';
  readonly pending: boolean;
  readonly ignored: boolean;
}

export const CURRENCIES_WITHOUT_CENTS: ReadonlySet<string> = new Set(['JPY', 'KRW', 'ISK', 'CLP', 'VND']);
const FIRST_YEAR = 2023;
const MONTHS_OF_LEDGERS = 32;

/** A repeatable source of choices. */
export class Choices {
  readonly #next: () => number;

  constructor(seed: number) {
    const random = seededRandom(Math.imul(seed, 0x2c1b3c6d) ^ 0x5bd1e995);
    this.#next = () => random.next();
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** True once in so many times. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  shuffled<T>(values: readonly T[]): T[] {
    const left = [...values];
    return values.map(() => left.splice(this.below(left.length), 1)[0] as T);
  }
}

export function chosenTraits(choices: Choices, languages: readonly Language[]): LedgerTraits {
  const language = choices.of(languages);
  const first = choices.oneIn(12)
    ? choices.of(['JPY', 'KRW', 'ISK', 'VND'])
    : choices.of(['EUR', 'EUR', 'USD', 'GBP', 'CHF', 'PLN', 'SEK']);
  const others = choices.oneIn(8) ? [choices.of([first, 'EUR', 'USD', 'GBP'])] : [];
  return {
    language,
    kind: choices.of(['checking', 'checking', 'checking', 'card', 'loan']),
    currencies: [first, ...others],
    size: choices.oneIn(8) ? 1 + choices.below(3) : choices.oneIn(20) ? 60 + choices.below(140) : 4 + choices.below(24),
    months: 1 + choices.below(4),
    days: choices.oneIn(6) ? choices.of(['early', 'monthly']) : 'any',
    amounts: choices.oneIn(10) ? choices.of(['whole', 'thousands']) : 'any',
    pending: choices.oneIn(8),
    ignored: choices.oneIn(12),
  };
}

export function knownLedger(choices: Choices, traits: LedgerTraits): KnownLedger {
  const month = choices.below(MONTHS_OF_LEDGERS - traits.months);
  const accounts = traits.currencies.map((currency, index) => knownAccount(choices, traits, currency, index, month));
  return { language: traits.language, accounts };
}

function knownAccount(
  choices: Choices,
  traits: LedgerTraits,
  currency: string,
  index: number,
  month: number,
): KnownAccount {
  const { kind, language } = traits;
  const openingCents = rounded(opening(choices, kind), currency, traits);
  let balanceCents = openingCents;
  const rows: KnownRow[] = [];
  for (const date of datesOf(choices, traits, month)) {
    const twin = rows.length > 0 && choices.oneIn(25) ? rows.at(-1) : undefined;
    const moved = twin ?? movement(choices, traits, currency, rows);
    const status = twin?.status ?? statusOf(choices, traits, rows.length);
    if (status === 'posted') balanceCents -= moved.cents;
    rows.push({ ...moved, date: twin?.date ?? date, status, balanceCents });
  }
  return {
    name: `${language.names.account} ${index + 1}`,
    iban: iban(choices),
    kind,
    currency,
    openingCents,
    closingCents: balanceCents,
    rows,
  };
}

function opening(choices: Choices, kind: KindOfAccount): number {
  if (kind === 'loan') return -(9_000_000 + choices.below(9_000_000));
  if (kind === 'card') return -choices.below(90_000);
  return choices.oneIn(6) ? 0 : 50_000 + choices.below(900_000);
}

/** Dates in order; a twin row keeps the date of the row before it. */
function datesOf(choices: Choices, { size, months, days }: LedgerTraits, month: number): string[] {
  const day = 1 + choices.below(12);
  const last = days === 'early' ? 12 : 28;
  const found = Array.from({ length: size }, (_, i) =>
    days === 'monthly' ? [i % 12, day] : [choices.below(months), 1 + choices.below(last)],
  );
  return found.map(([at = 0, date = 1]) => dateOf(month + at, date)).toSorted();
}

function dateOf(month: number, day: number): string {
  return toDateOnly(FIRST_YEAR + Math.floor(month / 12), 1 + (month % 12), day);
}

function statusOf(choices: Choices, { pending, ignored }: LedgerTraits, at: number): KnownRow['status'] {
  if (at === 0) return 'posted';
  if (pending && choices.oneIn(5)) return 'pending';
  return ignored && choices.oneIn(6) ? 'ignored' : 'posted';
}

type Movement = Pick<KnownRow, 'cents' | 'kind' | 'text' | 'counterparty'>;

const KINDS: Readonly<Record<KindOfAccount, readonly Kind[]>> = {
  checking: ['card', 'card', 'card', 'directDebit', 'transferOut', 'cash', 'fee', 'salary', 'transferIn'],
  card: ['card', 'card', 'card', 'card', 'card', 'cash', 'fee', 'transferIn'],
  loan: ['fee', 'fee', 'transferIn', 'transferIn'],
};

function movement(choices: Choices, traits: LedgerTraits, currency: string, before: readonly KnownRow[]): Movement {
  const { kind: account, language } = traits;
  const bought = before.find(({ kind, cents }) => kind === 'card' && cents > 0);
  if (bought && choices.oneIn(14)) {
    const { text, counterparty, cents } = bought;
    return { kind: 'refund', cents: -cents, text, counterparty };
  }
  const kind = choices.of(KINDS[account]);
  const counterparty = choices.of(language.shops);
  const isIn = kind === 'salary' || kind === 'transferIn';
  const size = isIn ? 20_000 + choices.below(300_000) : choices.oneIn(40) ? 0 : 101 + choices.below(60_000);
  const cents = rounded(size, currency, traits);
  const number = 100 + choices.below(900);
  const text = choices.oneIn(5) ? `${language.types[kind]} ${counterparty} ${number}` : `${counterparty} ${number}`;
  return { kind, cents: isIn ? -cents : cents, text, counterparty };
}

/** In the steps in which the ledger counts money. */
function rounded(cents: number, currency: string, { amounts }: LedgerTraits): number {
  const hasCents = !CURRENCIES_WITHOUT_CENTS.has(currency);
  const step = amounts === 'thousands' ? 100_000 : amounts === 'whole' || !hasCents ? 100 : 1;
  const scaled = amounts === 'thousands' || !hasCents ? cents * 17 : cents;
  return Math.round(scaled / step) * step + 0;
}

/** A German one, with check digits that are right. */
function iban(choices: Choices): string {
  const digits = Array.from({ length: 18 }, () => choices.below(10)).join('');
  const check = 98n - (BigInt(`${digits}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${digits}`;
}

import { dayNumber, daysInMonth } from '../../kernel/dates.ts';
import { fold } from '../../kernel/fold.ts';
import type { RuleRow } from './row.ts';
import { RULE_LIMITS } from './rule-limits.ts';

export interface TextEntry {
  readonly text: string;
  readonly folded: string;
  /** The rules with a literal that occurs in the text. */
  readonly hits: readonly number[];
}

export interface DateParts {
  readonly dayOfMonth: number;
  readonly month: number;
  /** 0 = Sunday. */
  readonly dayOfWeek: number;
  readonly dayOfYear: number;
  readonly monthDays: number;
  readonly yearDays: number;
}

/** Finds the rules with a literal that occurs in a folded text. */
export type LiteralSearch = (folded: string) => readonly number[];

const NO_HITS: readonly number[] = [];

/** What is computed once per text and shared by the rows of a run. */
export class RowMemory {
  readonly names: TextMemory<TextEntry>;
  readonly merchants: TextMemory<TextEntry>;
  readonly others = new TextMemory(entryMaker(() => NO_HITS));
  readonly days = new TextMemory(datePartsOf);

  constructor(searchName: LiteralSearch, searchMerchant: LiteralSearch) {
    this.names = new TextMemory(entryMaker(searchName));
    this.merchants = new TextMemory(entryMaker(searchMerchant));
  }
}

function entryMaker(search: LiteralSearch): (text: string) => TextEntry {
  return (text) => {
    const folded = foldText(text);
    return { text, folded, hits: folded === '' ? NO_HITS : search(folded) };
  };
}

/** The parts of a row that rules change. Sets and maps are replaced, never modified. */
export type LivePart =
  | 'categoryId'
  | 'categorySource'
  | 'tags'
  | 'seriesId'
  | 'counterpartyId'
  | 'metadata'
  | 'flagged'
  | 'locks';
type LiveState = Pick<RuleRow, LivePart>;

/** A row while rules run over it. `row` stays as it was read; the live parts start as its values and change. */
export class Subject {
  readonly row: RuleRow;
  categoryId: string | null;
  categorySource: string | null;
  tags: ReadonlySet<string>;
  seriesId: string | null;
  counterpartyId: string | null;
  metadata: ReadonlyMap<string, unknown>;
  flagged: boolean;
  locks: ReadonlySet<string>;
  readonly #memory: RowMemory;
  #name: TextEntry | undefined;
  #merchant: TextEntry | undefined;

  constructor(row: RuleRow, memory: RowMemory) {
    this.row = row;
    this.categoryId = row.categoryId;
    this.categorySource = row.categorySource;
    this.tags = row.tags;
    this.seriesId = row.seriesId;
    this.counterpartyId = row.counterpartyId;
    this.metadata = row.metadata;
    this.flagged = row.flagged;
    this.locks = row.locks;
    this.#memory = memory;
  }

  /** The present state, for `restore`. */
  snapshot(): LiveState {
    const { categoryId, categorySource, tags, seriesId, counterpartyId, metadata, flagged, locks } = this;
    return { categoryId, categorySource, tags, seriesId, counterpartyId, metadata, flagged, locks };
  }

  restore(state: LiveState): void {
    Object.assign(this, state);
  }

  get name(): TextEntry {
    this.#name ??= this.#memory.names.get(this.row.name);
    return this.#name;
  }

  /** Its text is blank if the row has no merchant. */
  get merchant(): TextEntry {
    this.#merchant ??= this.#memory.merchants.get(this.row.merchantName ?? '');
    return this.#merchant;
  }

  get day(): DateParts {
    return this.#memory.days.get(this.row.date);
  }

  entry(text: string | null): TextEntry {
    return this.#memory.others.get(text ?? '');
  }
}

function datePartsOf(date: string): DateParts {
  const year = Number(date.slice(0, 4));
  const month = Number(date.slice(5, 7));
  const day = dayNumber(date);
  return {
    dayOfMonth: Number(date.slice(8, 10)),
    month,
    dayOfWeek: (((day + 4) % 7) + 7) % 7,
    dayOfYear: day - dayNumber(`${date.slice(0, 4)}-01-01`) + 1,
    monthDays: daysInMonth(year, month),
    yearDays: 337 + daysInMonth(year, 2),
  };
}

// For printable ASCII with single spaces, folding is lower-casing.
const PLAIN_ASCII = /^[!-~]+(?: [!-~]+)*$/;

/** The same as `fold`, but faster for most bank texts. */
export function foldText(text: string): string {
  return PLAIN_ASCII.test(text) ? text.toLowerCase() : fold(text);
}

/** Remembers what was computed for a text, because banks repeat their texts. Drops the oldest entries. */
class TextMemory<T> {
  readonly #make: (text: string) => T;
  #recent = new Map<string, T>();
  #older = new Map<string, T>();

  constructor(make: (text: string) => T) {
    this.#make = make;
  }

  get(text: string): T {
    if (text.length > RULE_LIMITS.rememberedChars) return this.#make(text);
    const known = this.#recent.get(text);
    if (known !== undefined) return known;
    const value = this.#older.get(text) ?? this.#make(text);
    if (this.#recent.size >= RULE_LIMITS.rememberedTexts) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(text, value);
    return value;
  }
}

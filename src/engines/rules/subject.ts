import { dayNumber, daysInMonth } from '../../kernel/dates.ts';
import type { RowPart, RuleRow } from './row.ts';
import { foldText, TextMemory } from './text-memory.ts';

export interface TextEntry {
  readonly text: string;
  readonly folded: string;
  /** Rules whose literals occur in the text. */
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

/** Tells which rules' literals occur in a folded text. */
export type LiteralSearch = (folded: string) => readonly number[];

const NO_HITS: readonly number[] = [];

/** What is worked out once per text and shared by the rows of a run. */
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

/** The parts of a row that rules change; sets and maps are replaced, never written into. */
const LIVE = [
  'categoryId',
  'categorySource',
  'tags',
  'seriesId',
  'counterpartyId',
  'metadata',
  'flagged',
  'locks',
] as const satisfies readonly RowPart[];
export type LivePart = (typeof LIVE)[number];
export type LiveState = Pick<RuleRow, LivePart>;

const LIVE_PARTS: ReadonlySet<RowPart> = new Set(LIVE);

/** True when earlier rules of the same evaluation can change this part. */
export function isLive(part: RowPart): boolean {
  return LIVE_PARTS.has(part);
}

/** A row while rules run over it: what earlier rules did stands in the fields that start out as the row's. */
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

  /** The present state, to go back to with `restore`. */
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

  /** Its text is blank when there is none. */
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

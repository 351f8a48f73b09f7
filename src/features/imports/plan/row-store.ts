import {
  ChoiceColumn,
  HexColumn,
  NumberColumn,
  SparseColumn,
  TextColumn,
  UuidColumn,
  WordColumn,
  Words,
  type Column,
} from './column-store.ts';
import { RowList } from './row-list.ts';

/** Rows stored in columns: as objects, half a million of them would take three times the memory. */
export interface RowStore<Row, Input> {
  /** Adds a row; fields that are not among the values are empty. */
  add(values: Input): Row;
  /** The rows in the order in which they were added. Asked for once there are no more: it saves memory for what follows. */
  finished(): RowList<Row>;
}

/** How a field is stored, for about so many rows. */
type Kind<Value> = (expected: number, words: Words) => Column<Value>;
export type Layout<Row> = { readonly [Field in keyof Row]-?: Kind<Row[Field]> };

/**
 * A store for rows with these fields; the rows that it gives read and write the columns. `Input` has the fields that are
 * known when a row is added.
 */
export function rowStoreOf<Row extends object, Input extends Partial<Row>>(
  layout: Layout<Row>,
): new (expected: number) => RowStore<Row, Input> {
  const fields = Object.keys(layout) as (keyof Row & string)[];
  const View = viewOf(fields);
  return class {
    readonly #words = new Words();
    readonly #source: Source;
    #length = 0;

    constructor(expected: number) {
      const columns = fields.map((field) => layout[field](expected, this.#words) as Column<unknown>);
      const source: Source = { columns, rowAt: (place) => new View(source, place) };
      this.#source = source;
    }

    add(values: Input): Row {
      const { columns, rowAt } = this.#source;
      const place = this.#length++;
      const given: Partial<Row> = values;
      for (let i = 0; i < fields.length; i++) {
        const value = given[fields[i] as keyof Row];
        if (value !== undefined) (columns[i] as Column<unknown>).set(place, value);
      }
      return rowAt(place) as Row;
    }

    finished(): RowList<Row> {
      this.#words.forget();
      return new RowList(this.#source.rowAt as (place: number) => Row, this.#length);
    }
  };
}

/** Where the values of rows are, and what makes one of the rows. */
interface Source {
  readonly columns: readonly Column<unknown>[];
  readonly rowAt: (place: number) => object;
}

/** What a row keeps itself. */
interface View {
  readonly source: Source;
  readonly place: number;
}

/** A class whose objects have the fields of a row and keep nothing but its place. */
function viewOf(fields: readonly string[]): new (source: Source, place: number) => object {
  class FieldView implements View {
    readonly source: Source;
    readonly place: number;

    constructor(source: Source, place: number) {
      this.source = source;
      this.place = place;
    }
  }
  for (const [index, field] of fields.entries()) {
    Object.defineProperty(FieldView.prototype, field, {
      get(this: View) {
        return (this.source.columns[index] as Column<unknown>).get(this.place);
      },
      set(this: View, value: unknown) {
        (this.source.columns[index] as Column<unknown>).set(this.place, value);
      },
    });
  }
  return FieldView;
}

/** A row of another store, or null: only where it is. */
export const rowElsewhere =
  <Row extends object>(): Kind<Row | null> =>
  (expected) => {
    const sources = new ChoiceColumn<Source | null>([null], expected);
    const places = new NumberColumn(expected);
    return {
      get: (at) => (sources.get(at)?.rowAt(places.get(at)) ?? null) as Row | null,
      set: (at, row) => {
        const view = row as View | null;
        sources.set(at, view?.source ?? null);
        places.set(at, view?.place ?? 0);
      },
    };
  };

export const integer: Kind<number> = (expected) => new NumberColumn(expected);

/** Hundredths, or null, which is stored as 0: what is not negative is stored as the number after it. */
export const centsOrNull: Kind<number | null> = (expected) => {
  const numbers = new NumberColumn(expected);
  return {
    get: (at) => {
      const stored = numbers.get(at);
      return stored === 0 ? null : stored > 0 ? stored - 1 : stored;
    },
    set: (at, cents) => numbers.set(at, cents === null ? 0 : cents < 0 ? cents : cents + 1),
  };
};

export const word: Kind<string | null> = (expected, words) => new WordColumn(words, new NumberColumn(expected));

export const hash: Kind<string | null> = (expected) => new HexColumn(expected);

/** Texts that hardly repeat. */
export const text: Kind<string | null> = (expected) => new TextColumn(expected);

export const uuid: Kind<string | null> = (expected) => new UuidColumn(expected);

export const rare =
  <Value>(): Kind<Value | null> =>
  () =>
    new SparseColumn<Value>();

const NOTHING: readonly never[] = [];

const rareList = <Value>(): Kind<readonly Value[]> => {
  return () => {
    const lists = new SparseColumn<readonly Value[]>();
    return {
      get: (at) => lists.get(at) ?? NOTHING,
      set: (at, value) => lists.set(at, value.length === 0 ? null : value),
    };
  };
};

export const rareTexts = rareList<string>();
export const rareNumbers = rareList<number>();

/** One of few values, the first where none was set. Those that are not known beforehand are learned. */
export const choice =
  <Value>(...values: readonly Value[]): Kind<Value> =>
  (expected) =>
    new ChoiceColumn([...values], expected);

export const flag: Kind<boolean> = choice<boolean>(false, true);

/** A value that every row is given. */
export const always = <Value>(kind: Kind<Value | null>): Kind<Value> => kind as Kind<Value>;

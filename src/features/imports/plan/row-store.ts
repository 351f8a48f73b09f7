import {
  ChoiceColumn,
  HexColumn,
  NumberColumn,
  SparseColumn,
  UuidColumn,
  WordColumn,
  Words,
  type Column,
} from './column-store.ts';

/** Rows stored in columns: as objects, half a million of them would take three times the memory. */
export interface RowStore<Row, Input> {
  /** In the order in which they were added. */
  readonly list: Row[];
  /** Adds a row; fields that are not among the values are empty. */
  add(values: Input): Row;
}

/** How a field is stored, for about so many rows. */
type Kind<Value> = (expected: number, words: Words) => Column<Value>;
export type Layout<Row> = { readonly [Field in keyof Row]-?: Kind<Row[Field]> };

/**
 * A store for rows with these fields; the rows it lists read and write the columns. `Input` has the fields that are
 * known when a row is added.
 */
export function rowStoreOf<Row extends object, Input extends Partial<Row>>(
  layout: Layout<Row>,
): new (expected: number) => RowStore<Row, Input> {
  const fields = Object.keys(layout) as (keyof Row & string)[];
  const View = viewOf(fields);
  return class {
    readonly list: Row[] = [];
    readonly #columns: readonly Column<unknown>[];

    constructor(expected: number) {
      const words = new Words();
      this.#columns = fields.map((field) => layout[field](expected, words) as Column<unknown>);
    }

    add(values: Input): Row {
      const at = this.list.length;
      const given: Partial<Row> = values;
      for (let i = 0; i < fields.length; i++) {
        const value = given[fields[i] as keyof Row];
        if (value !== undefined) (this.#columns[i] as Column<unknown>).set(at, value);
      }
      const row = new View(this.#columns, at) as Row;
      this.list.push(row);
      return row;
    }
  };
}

/** A class whose objects have the fields of a row and keep nothing but its place. */
function viewOf(fields: readonly string[]): new (columns: readonly Column<unknown>[], at: number) => object {
  class View {
    readonly columns: readonly Column<unknown>[];
    readonly at: number;

    constructor(columns: readonly Column<unknown>[], at: number) {
      this.columns = columns;
      this.at = at;
    }
  }
  for (const [index, field] of fields.entries()) {
    Object.defineProperty(View.prototype, field, {
      get(this: View) {
        return (this.columns[index] as Column<unknown>).get(this.at);
      },
      set(this: View, value: unknown) {
        (this.columns[index] as Column<unknown>).set(this.at, value);
      },
    });
  }
  return View;
}

export const integer = (expected: number): NumberColumn =>
  new NumberColumn((length) => new Int32Array(length), expected);

/** Hundredths. */
export const cents: Kind<number> = (expected) => new NumberColumn((length) => new Float64Array(length), expected);

export const centsOrNull: Kind<number | null> = (expected, words) => {
  const numbers = cents(expected, words);
  return {
    get: (at) => {
      const value = numbers.get(at);
      return Number.isNaN(value) ? null : value;
    },
    set: (at, value) => numbers.set(at, value ?? Number.NaN),
  };
};

export const word: Kind<string | null> = (expected, words) => new WordColumn(words, integer(expected));

export const hash: Kind<string | null> = (expected) => new HexColumn(expected);

export const uuid: Kind<string | null> = (expected) => new UuidColumn(expected);

export const rare =
  <Value>(): Kind<Value | null> =>
  () =>
    new SparseColumn<Value>();

const NO_TEXTS: readonly string[] = [];

export const rareTexts: Kind<readonly string[]> = () => {
  const texts = new SparseColumn<readonly string[]>();
  return {
    get: (at) => texts.get(at) ?? NO_TEXTS,
    set: (at, value) => texts.set(at, value.length === 0 ? null : value),
  };
};

/** One of few values, the first where none was set. Those that are not known beforehand are learned. */
export const choice =
  <Value>(...values: readonly Value[]): Kind<Value> =>
  (expected) =>
    new ChoiceColumn([...values], expected);

export const flag: Kind<boolean> = choice<boolean>(false, true);

/** A value that every row is given. */
export const always = <Value>(kind: Kind<Value | null>): Kind<Value> => kind as Kind<Value>;

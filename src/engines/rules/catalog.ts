/** What a rule's ids stand for, read once at the start of a run. Placeholders may stand among the ids. */
export interface Catalog {
  readonly categories: ReadonlyMap<string, CatalogCategory>;
  /** Slug by id. */
  readonly tags: ReadonlyMap<string, string>;
  /** Name by id. */
  readonly series: ReadonlyMap<string, string>;
  /** Name by id. */
  readonly counterparties: ReadonlyMap<string, string>;
  /** short_id by id. */
  readonly users: ReadonlyMap<string, string>;
}

export interface CatalogCategory {
  readonly slug: string;
  readonly name: string;
  readonly kind: string;
  readonly isArchived: boolean;
}

/** Names and slugs of the records that rules refer to, read once at the start of a run. Some ids may be placeholders. */
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

interface CatalogCategory {
  readonly slug: string;
  readonly name: string;
  readonly kind: string;
  readonly isArchived: boolean;
}

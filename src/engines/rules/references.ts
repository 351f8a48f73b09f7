import { fold } from '../../kernel/fold.ts';

/** Finds what a rule names; each function answers with a UUID, or undefined when there is nothing. */
export interface References {
  /** By slug, UUID or short_id. */
  category(text: string): string | undefined;
  /** By slug, UUID or short_id. */
  tag(text: string): string | undefined;
  series(text: string): string | undefined;
  /** By a name that is equal by fold(). */
  seriesByName(name: string): string | undefined;
  /** A merged one stands for its target. */
  counterparty(text: string): string | undefined;
  counterpartyByName(name: string): string | undefined;
  account(text: string): string | undefined;
  user(text: string): string | undefined;
  isArchived(categoryId: string): boolean;
}

/** A record that an action names, that does not exist and that is to be created with the rule. */
export interface Wanted {
  /** Stands for its id until it has one. */
  readonly placeholder: string;
  readonly kind: 'tag' | 'series' | 'counterparty';
  /** The slug of a tag, the name of the others. */
  readonly name: string;
  /** Of a series. */
  readonly seriesType: string | null;
  /** The action that wanted it first. */
  readonly path: string;
}

const PREFIX = 'new:';

/** True for what stands in place of an id that does not exist yet. */
export function isPlaceholder(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** What the rules of one request want to be created; the same record is wanted once. */
export class WantedRecords {
  readonly #byPlaceholder = new Map<string, Wanted>();

  get list(): readonly Wanted[] {
    return [...this.#byPlaceholder.values()];
  }

  find(kind: Wanted['kind'], name: string): string | undefined {
    const placeholder = placeholderOf(kind, name);
    return this.#byPlaceholder.has(placeholder) ? placeholder : undefined;
  }

  want(kind: Wanted['kind'], name: string, path: string, seriesType: string | null = null): string {
    const placeholder = placeholderOf(kind, name);
    if (!this.#byPlaceholder.has(placeholder)) {
      this.#byPlaceholder.set(placeholder, { placeholder, kind, name, seriesType, path });
    }
    return placeholder;
  }
}

function placeholderOf(kind: Wanted['kind'], name: string): string {
  return `${PREFIX}${kind}:${kind === 'tag' ? name : fold(name)}`;
}

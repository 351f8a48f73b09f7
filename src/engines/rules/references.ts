import { fold } from '../../kernel/fold.ts';

/** Finds the records that a rule refers to. Each function answers a UUID, or undefined if nothing matches. */
export interface References {
  /** By slug, UUID or short_id. */
  category(text: string): string | undefined;
  /** By slug, UUID or short_id. */
  tag(text: string): string | undefined;
  series(text: string): string | undefined;
  /** By a name with the same fold. */
  seriesByName(name: string): string | undefined;
  /** A merged one counts as its target. */
  counterparty(text: string): string | undefined;
  counterpartyByName(name: string): string | undefined;
  account(text: string): string | undefined;
  user(text: string): string | undefined;
  isArchived(categoryId: string): boolean;
}

/** A record that an action names and that is created with the rule. */
export interface Wanted {
  /** Takes the place of its id until it has one. */
  readonly placeholder: string;
  readonly kind: 'tag' | 'series' | 'counterparty';
  /** The slug of a tag, the name of the others. */
  readonly name: string;
  /** Null unless it is a series. */
  readonly seriesType: string | null;
  /** The first action that wants it. */
  readonly path: string;
}

const PREFIX = 'new:';

/** Whether this is a placeholder for an id that does not exist yet. */
export function isPlaceholder(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** The records that the rules of one request want, each once. */
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

/** What a path takes, for answering the methods that it does not take. */
export interface KnownPath {
  takes: ReadonlySet<string>;
  /** Answers without a key. */
  isOpen: boolean;
}

interface Place {
  /** What follows, by its text; `null` is any text. */
  next: Map<string | null, Place>;
  known: KnownPath | undefined;
}

export interface KnownPaths {
  add(url: string, known: KnownPath): void;
  /** A literal part of a path goes before a parameter, as in the router. */
  find(url: string): KnownPath | undefined;
}

/** The paths of all routes, whatever the method: one small tree instead of a route per path and method. */
export function createKnownPaths(): KnownPaths {
  const root: Place = { next: new Map(), known: undefined };
  return {
    add(url, known) {
      let place = root;
      for (const part of url.split('/')) {
        const key = part.startsWith(':') ? null : part;
        const next = place.next.get(key) ?? { next: new Map(), known: undefined };
        place.next.set(key, next);
        place = next;
      }
      place.known = known;
    },
    find: (url) => search(root, (url.split(/[?#]/)[0] as string).split('/').map(decoded), 0),
  };
}

function search(place: Place, parts: readonly string[], at: number): KnownPath | undefined {
  const part = parts[at];
  if (part === undefined) return place.known;
  for (const key of part === '' ? [part] : [part, null]) {
    const next = place.next.get(key);
    const found = next && search(next, parts, at + 1);
    if (found) return found;
  }
  return undefined;
}

function decoded(part: string): string {
  return part.includes('%') ? decodeURIComponent(part) : part;
}

/** A path in the router's notation (`/things/:id`), with the methods that it takes. */
export interface ServedPath {
  readonly url: string;
  readonly methods: readonly string[];
  /** Answers without a key. */
  readonly isOpen: boolean;
}

export interface ServedPaths {
  add(path: ServedPath): void;
  /** The path that an address belongs to, whatever the method. Searches all paths, so only for unrouted requests. */
  find(address: string): ServedPath | undefined;
  /** Paths that a more general one covers too (`/things/count`, `/things/:id`), with the methods only that one takes. */
  overlaps(): { path: ServedPath; methods: string[] }[];
}

interface Known extends ServedPath {
  /** Text of each part; null for a parameter. */
  readonly parts: readonly (string | null)[];
}

/** A literal part of a path takes precedence over a parameter, as in the router. */
export function createServedPaths(): ServedPaths {
  const known: Known[] = [];
  let isSorted = true;

  function specificFirst(): readonly Known[] {
    if (!isSorted) known.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
    isSorted = true;
    return known;
  }

  return {
    add(path) {
      known.push({ ...path, parts: path.url.split('/').map((part) => (part.startsWith(':') ? null : part)) });
      isSorted = false;
    },
    find(address) {
      const parts = (address.split(/[?#]/)[0] as string).split('/').map(decoded);
      return specificFirst().find((path) => isMatch(path, parts));
    },
    overlaps() {
      const all = specificFirst();
      return all.flatMap((path, index) => {
        const general = all.slice(index + 1).filter((other) => mayMeet(path, other));
        const methods = new Set(general.flatMap((other) => other.methods)).difference(new Set(path.methods));
        return methods.size === 0 ? [] : [{ path, methods: [...methods] }];
      });
    },
  };
}

/** Sorts a parameter after every literal. */
function sortKey({ parts }: Known): string {
  return parts.map((part) => part ?? '\uffff').join('/');
}

function isMatch({ parts }: Known, asked: readonly string[]): boolean {
  return (
    parts.length === asked.length &&
    parts.every((part, index) => (part === null ? asked[index] !== '' : part === asked[index]))
  );
}

/** Whether an address can match both. */
function mayMeet(a: Known, b: Known): boolean {
  return (
    a.parts.length === b.parts.length &&
    a.parts.every((part, index) => part === null || b.parts[index] === null || part === b.parts[index])
  );
}

function decoded(part: string): string {
  return part.includes('%') ? decodeURIComponent(part) : part;
}

import { validationError } from '../../../kernel/errors.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { setMetadata, unsetMetadata, type Editor, type Facets } from '../../facets/index.ts';

type Members = Readonly<Record<string, unknown>>;

/** A change of a metadata map: a new map, or keys to remove and keys to set. */
export interface MetadataChange {
  readonly replace?: Members | undefined;
  readonly unset?: readonly string[] | undefined;
  readonly set?: Members | undefined;
}

/** The names of the caller's fields, for errors. */
export interface MetadataPaths extends Readonly<Record<keyof MetadataChange, string>> {
  /** The field of the key, if a request has a single one. */
  readonly key?: string;
}

const PATHS: MetadataPaths = { replace: 'metadata', unset: 'unset', set: 'set' };

/**
 * The transaction with its metadata changed: `unset` first, then `set`; the same object if nothing changes.
 * @throws VALIDATION_ERROR for anything beyond the limits of contract 10.6.1
 */
export function editMetadata(
  facets: Facets,
  editor: Editor,
  change: MetadataChange,
  paths: MetadataPaths = PATHS,
): Facets {
  const { replace, unset = [], set = {} } = change;
  for (const key of unset) checkKey(key, paths.key ?? under(paths.unset, key));
  const setPath = replace ? paths.replace : paths.set;
  const written = Object.entries(replace ?? set);
  for (const [key, value] of written) {
    checkKey(key, paths.key ?? under(setPath, key));
    checkValue(value, paths.key === undefined ? under(setPath, key) : setPath);
  }
  const both = unset.find((key) => Object.hasOwn(set, key));
  if (both !== undefined) {
    throw validationError(
      under(paths.unset, both),
      `The key ${shown(both)} is in both ${paths.set} and ${paths.unset}. Send it in one of them.`,
    );
  }
  // Before the map is built: to set many small keys one by one would take long.
  checkSize(replace ?? set, setPath);
  const gone = replace ? [...facets.metadata.keys()].filter((key) => !Object.hasOwn(replace, key)) : unset;
  let edited = facets;
  for (const key of gone) edited = unsetMetadata(edited, editor, key);
  for (const [key, value] of written) edited = setMetadata(edited, editor, key, value);
  if (edited !== facets && written.length > 0) checkSize(Object.fromEntries(edited.metadata), setPath);
  return edited;
}

function checkKey(key: string, path: string): void {
  const length = key.length > 2 * LIMITS.metadataKeyChars ? key.length : [...key].length;
  if (length < 1 || length > LIMITS.metadataKeyChars) {
    throw validationError(path, `${path}: a key must have 1 to ${LIMITS.metadataKeyChars} characters.`);
  }
  if (/\p{Cc}/u.test(key) || !key.isWellFormed()) {
    throw validationError(path, `${path}: a key must not contain control characters or unpaired surrogates.`);
  }
}

function checkValue(value: unknown, path: string): void {
  // Before JSON.stringify, which fails on values that are nested too deeply.
  checkInside(value, path);
  if (Buffer.byteLength(JSON.stringify(value)) > LIMITS.metadataValueBytes) {
    throw validationError(
      path,
      `${path}: a value can have at most ${LIMITS.metadataValueBytes} bytes as compact JSON.`,
    );
  }
}

function checkSize(map: Members, path: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(map));
  if (bytes > LIMITS.metadataBytes) {
    throw validationError(
      path,
      `${path}: the whole map would have ${bytes} bytes as compact JSON; at most ${LIMITS.metadataBytes} are allowed.`,
    );
  }
}

/** The schema has checked the strings inside (`metadata.contract.ts`). */
function checkInside(value: unknown, path: string): void {
  const open = [value];
  while (open.length > 0) {
    const at = open.pop();
    if (typeof at === 'number' && !isExact(at)) {
      throw validationError(
        path,
        `${path}: numbers must be finite, and integers within ±(2^53-1). Send a larger one as a string.`,
      );
    }
    if (typeof at === 'object' && at !== null) open.push(...(Object.values(at) as unknown[]));
  }
}

/** An integer that JSON.parse has rounded is at least 2^53, so its size is enough to tell. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

function under(path: string, key: string): string {
  return `${path}.${shown(key)}`;
}

function shown(key: string): string {
  return Array.from(key.slice(0, 2 * LIMITS.metadataKeyChars))
    .slice(0, LIMITS.metadataKeyChars)
    .join('')
    .toWellFormed();
}

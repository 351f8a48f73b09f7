/** What a run of the bench is asked for. */
export interface Options {
  /** The commit to compare with; undefined measures the working directory alone. */
  commit: string | undefined;
  isOnPostgres: boolean;
  parts: string[];
  sizes: number[];
  /** Nothing was left out, so that the table may be kept. */
  isWhole: boolean;
}

const SIZES = [10_000, 100_000, 1_000_000];

/** `[against <commit>] [--postgres] [part…] [size…]`, in any order. @throws for a word that means nothing */
export function readOptions(given: readonly string[], parts: readonly string[], compared: readonly string[]): Options {
  const words = [...given];
  const at = words.indexOf('against');
  const commit = at === -1 ? undefined : words.splice(at, 2)[1];
  if (at !== -1 && commit === undefined)
    throw new Error('against: name a commit, as in `npm run bench -- against HEAD~1`.');
  const isOnPostgres = words.includes('--postgres');
  const known = commit === undefined ? parts : compared;
  const others = words.filter((word) => word !== '--postgres');
  const sizes = others.map(Number).filter((size) => Number.isSafeInteger(size) && size > 0);
  const names = others.filter((word) => !(Number(word) > 0));
  const strange = names.find((name) => !known.includes(name));
  if (strange !== undefined) throw new Error(`${strange}: is none of ${known.join(', ')}, --postgres, or a size.`);
  return {
    commit,
    isOnPostgres,
    parts: known.filter((name) => names.length === 0 || names.includes(name)),
    sizes: sizes.length > 0 ? sizes : SIZES,
    isWhole: others.length === 0 && commit === undefined,
  };
}

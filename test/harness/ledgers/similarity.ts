/** 10·|A∩B| ≥ 3·|A∪B|: similarity of at least 0.3, compared exactly; false when both sets are empty. */
export function areSimilar(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const trigram of a) if (b.has(trigram)) shared += 1;
  return shared > 0 && 10 * shared >= 3 * (a.size + b.size - shared);
}

import type { FacetKey, Facets } from './facets.ts';

/**
 * The facets of a transaction that takes in a newer one (contract 30.9). A value that a person or agent set on the newer
 * one wins, else the survivor's stays, else the newer one's counts; tags are united, and the flag stays if either has it.
 * Whether the survivor is deleted does not change.
 */
export function mergedFacets(survivor: Facets, newer: Facets): Facets {
  const locks = new Set([...survivor.locks, ...newer.locks].filter((key) => key.startsWith('tag:')));
  const choose = (key: FacetKey, isSetOn: (facets: Facets) => boolean, isDecided = newer.locks.has(key)): Facets => {
    const isKept = !isDecided && (isSetOn(survivor) || survivor.locks.has(key) || !isSetOn(newer));
    const winner = isKept ? survivor : newer;
    if (winner.locks.has(key)) locks.add(key);
    return winner;
  };
  const isByHand = newer.categorySource === 'person' || newer.categorySource === 'agent';
  const isCategorised = ({ categoryId }: Facets): boolean => categoryId !== null;
  const category = choose('category', isCategorised, isByHand || newer.locks.has('category'));
  const counterparty = choose('counterparty', ({ counterpartyId }) => counterpartyId !== null);
  const series = choose('series', ({ seriesId }) => seriesId !== null);
  // What an account link has attributed follows from the matches of each.
  const isAttributed = (one: Facets): boolean => one.attributedUserId !== null && one.attributedByLinkId === null;
  const attribution = choose('attribution', isAttributed);
  const flag = choose(
    'flag',
    ({ flaggedAt }) => flaggedAt !== null,
    survivor.flaggedAt === null && newer.flaggedAt !== null,
  );
  return {
    ...survivor,
    categoryId: category.categoryId,
    categorySource: category.categorySource,
    categoryRuleId: category.categoryRuleId,
    counterpartyId: counterparty.counterpartyId,
    seriesId: series.seriesId,
    attributedUserId: attribution.attributedUserId,
    attributedByLinkId: attribution.attributedByLinkId,
    flaggedAt: flag.flaggedAt,
    tags: new Set([...survivor.tags, ...newer.tags]),
    metadata: mergedMetadata(survivor, newer, locks),
    locks,
  };
}

/** Keys of the newer one win; `locks` gets those of the metadata. */
function mergedMetadata(survivor: Facets, newer: Facets, locks: Set<string>): ReadonlyMap<string, unknown> {
  const isMetadata = (lock: string): boolean => lock.startsWith('metadata.');
  const metadata = new Map(survivor.metadata);
  for (const lock of [...survivor.locks].filter(isMetadata)) {
    if (!newer.metadata.has(lock.slice('metadata.'.length))) locks.add(lock);
  }
  for (const [key, value] of newer.metadata) metadata.set(key, value);
  for (const lock of [...newer.locks].filter(isMetadata)) {
    const key = lock.slice('metadata.'.length);
    if (!newer.metadata.has(key)) metadata.delete(key);
    locks.add(lock);
  }
  return metadata;
}

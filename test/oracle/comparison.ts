import type { Saved } from './tally.ts';

const FILES_NAMED = 8;

/** Which files are taken another way than before: `right → wrong` and so on, with the first of each. */
export function comparisonLines(before: Saved, after: Saved): string[] {
  const changes = new Map<string, string[]>();
  for (const [number, verdict] of Object.entries(after)) {
    const old = before[Number(number)];
    if (old === undefined || old === verdict) continue;
    const change = `${old} → ${verdict}`;
    changes.set(change, [...(changes.get(change) ?? []), number]);
  }
  if (changes.size === 0) return ['No file changed.'];
  return [...changes]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(
      ([change, files]) =>
        `${String(files.length).padStart(7)}  ${change}: files ${files.slice(0, FILES_NAMED).join(', ')}`,
    );
}

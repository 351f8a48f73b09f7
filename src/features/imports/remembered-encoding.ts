import type { FileAnalysis, ReadOptions, StoredProfile } from '../../engines/imports/analysis.ts';

/**
 * A file whose bytes fit several encodings is read in the one that a remembered profile names, if its header then is
 * that of the profile: whoever was asked once is not asked again (36.12).
 */
export function inRememberedEncoding(
  analysis: FileAnalysis,
  read: (options: ReadOptions) => FileAnalysis,
  options: ReadOptions,
  profiles: readonly StoredProfile[],
): FileAnalysis {
  if (analysis.detection.encoding.confidence !== 'ambiguous' || options.profile === 'none') return analysis;
  const candidates = new Set(analysis.detection.encoding.candidates.map(({ value }) => value));
  const remembered = new Set(profiles.flatMap(({ settings }) => settings.encoding ?? []));
  for (const encoding of remembered) {
    if (!candidates.has(encoding)) continue;
    const again = read({ ...options, encoding });
    const used = profiles.find(({ id }) => id === again.profile?.id);
    if (used?.settings.encoding !== encoding) continue;
    const detected = { value: encoding, confidence: 'profile' as const, evidence: ['stored_profile'], candidates: [] };
    return { ...again, detection: { ...again.detection, encoding: detected } };
  }
  return analysis;
}

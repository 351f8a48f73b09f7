import type { Instance } from '../handler.ts';

/** The program never asks anybody for news about itself, so the two others stay null. */
export function versionAnswer(instance: Instance): { version: string; latest: null; update_available: null } {
  return { version: instance.version, latest: null, update_available: null };
}

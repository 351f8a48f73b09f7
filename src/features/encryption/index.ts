import type { Instance } from '../handler.ts';
import type { KeyParts, MasterKey } from './master-key.ts';
import type { Rotated } from './rotate-encryption.ts';
import type { GivenUp } from './reset-encryption.ts';

export { findCurrentKey, selectRecords } from './encryption-keys.queries.ts';
export { keyFileIn, keysAtHand, parseKey } from './key-file.ts';
export {
  announceServer,
  isServerRunning,
  refuseDuringMaintenance,
  releaseLeases,
  removeDeadLeases,
  takeMaintenance,
} from './maintenance.ts';
export { candidates, isKeyOf, loadMasterKey, type LoadKey, type MasterKey } from './master-key.ts';
export { loadNumberKey } from './number-key.ts';
export type { GivenUp } from './reset-encryption.ts';

// Only their commands need these, and a start should not wait for what they load.

export async function rotateEncryption(instance: Instance, newKey: Uint8Array): Promise<Rotated> {
  return (await import('./rotate-encryption.ts')).rotateEncryption(instance, newKey);
}

export async function resetMasterKey(parts: KeyParts, tell: (givenUp: GivenUp) => void): Promise<MasterKey> {
  return (await import('./reset-encryption.ts')).resetMasterKey(parts, tell);
}

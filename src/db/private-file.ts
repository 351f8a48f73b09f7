import { chmodSync } from 'node:fs';

/** What a volume without such rights (FAT, SMB), or a file of another owner, answers. */
const NOT_OURS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EROFS', 'EACCES'];

/** Sets the rights of a file or directory; false where they cannot be set, which stops nothing. */
export function keepPrivate(path: string, mode: number, set: typeof chmodSync = chmodSync): boolean {
  try {
    set(path, mode);
    return true;
  } catch (error) {
    if (NOT_OURS.includes((error as { code?: unknown }).code)) return false;
    throw error;
  }
}

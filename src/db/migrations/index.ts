import type { Migration } from '../migrate.ts';
import { baseline } from './0001-baseline.ts';

/** Every migration, oldest first. A step that has been released is never edited. */
export const migrations: readonly Migration[] = [baseline];

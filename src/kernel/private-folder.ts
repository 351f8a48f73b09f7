import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder that only its owner can open, and whatever is missing above it. Node's own recursive way never ends
 * where a folder is there and yet says that it is not when something is made in it, as `/proc` does.
 * @throws the error of the system
 */
export function makePrivateFolder(path: string): void {
  for (const folder of missingAbove(resolve(path))) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      // Another program was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  if (!statSync(path).isDirectory()) throw new Error(`${path} is not a folder.`);
}

/** The folder and those above it that are not there, the outermost first. */
function missingAbove(path: string): string[] {
  if (existsSync(path)) return [];
  return [...missingAbove(dirname(path)), path];
}

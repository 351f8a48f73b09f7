import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Plugin } from 'vite';

interface Package {
  name: string;
  version: string;
  license?: string;
}

/**
 * Writes the licences of all packages in the bundle to `assets/licences.txt`: most ask to be passed on with the code.
 * Scripts that work beside the page are bundles of their own, which are built first.
 */
export function licences(): { ofPage: Plugin; ofWorkers: Plugin } {
  const folders = new Set<string>();
  const note = (ids: Iterable<string>): void => {
    for (const id of ids) {
      const folder = packageFolder(id);
      if (folder !== undefined) folders.add(folder);
    }
  };
  const ofWorkers: Plugin = {
    name: 'licences-of-workers',
    generateBundle() {
      note(this.getModuleIds());
    },
  };
  const ofPage: Plugin = {
    name: 'licences',
    generateBundle() {
      note(this.getModuleIds());
      const notices = [...folders].map(noticeOf).toSorted();
      this.emitFile({ type: 'asset', fileName: 'assets/licences.txt', source: `${notices.join('\n\n')}\n` });
    },
  };
  return { ofPage, ofWorkers };
}

function packageFolder(id: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0];
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
  const file = readdirSync(folder).find((one) => /^licen[cs]e(\.\w+)?$/i.test(one));
  const text =
    file !== undefined && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : '';
  const head = `${name} ${version} (${license ?? 'see below'})`;
  return `${head}\n${'-'.repeat(head.length)}${text === '' ? '' : `\n${text}`}`;
}

import type { CallOf } from '../../../src/contract/operation.ts';
import type { importFile } from '../../../src/features/imports/imports.contract.ts';
import type { OpenIntent } from '../../api/queries.ts';
import { createStore } from '../../lib/store.ts';

export type Fields = NonNullable<CallOf<typeof importFile>['body']>;

/** A file that a person has chosen, and what they have said about it. It is only in this tab until it is imported. */
export interface QueuedFile {
  id: number;
  file: File;
  fields: Fields;
  /** What a new account will be called; set after the import, because names choose accounts (36.4). */
  accountName: string;
  /** Of sending it: after a lost answer it is sent again under the same key. */
  intent: OpenIntent;
}

/** The files that wait for a person; the first one is looked at. */
export const queue = createStore<readonly QueuedFile[]>([]);
export const isSheetOpen = createStore(false);

let lastId = 0;
/** The page with everything about a file, which needs no sheet over it. */
let isPageOpen = false;

/** Files were chosen or dropped, on whichever page. */
export function offerFiles(files: Iterable<File>): void {
  const added = [...files].map((file) => ({
    id: ++lastId,
    file,
    fields: {},
    accountName: '',
    intent: { current: null },
  }));
  if (added.length === 0) return;
  queue.set([...queue.get(), ...added]);
  if (!isPageOpen) isSheetOpen.set(true);
}

export function changeQueued(id: number, change: Partial<Pick<QueuedFile, 'fields' | 'accountName'>>): void {
  queue.set(queue.get().map((one) => (one.id === id ? { ...one, ...change } : one)));
}

/** The file is imported, or not wanted. */
export function takeFromQueue(id: number): void {
  queue.set(queue.get().filter((one) => one.id !== id));
}

/** Nothing of what was not imported is kept. */
export function closeSheet(): void {
  isSheetOpen.set(false);
  queue.set([]);
}

/** The files stay, and go on in the page that shows everything. */
export function leaveSheetForPage(): void {
  isSheetOpen.set(false);
}

/** While the page is there, files go to it; leaving it forgets them. */
export function holdByPage(): () => void {
  isPageOpen = true;
  isSheetOpen.set(false);
  return () => {
    isPageOpen = false;
    queue.set([]);
  };
}

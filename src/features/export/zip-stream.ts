import { Readable } from 'node:stream';

import { ZipFile } from 'yazl';

import type { Instant } from '../../kernel/dates.ts';

export interface ZipEntry {
  readonly name: string;
  /** Called when its turn has come. */
  readonly pieces: () => AsyncIterable<string>;
}

/** A zip file, made as fast as it is read: one entry after the other, none of which is held in memory. */
export async function* zipStream(entries: readonly ZipEntry[], at: Instant): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  // The types leave out that it is a stream which can be destroyed.
  const output = zip.outputStream as Readable;
  let current: Readable | undefined;
  const mtime = new Date(at);
  for (const { name, pieces } of entries) {
    zip.addReadStreamLazy(name, { mtime, mode: 0o100600 }, (start) => {
      current = Readable.from(pieces(), { objectMode: false });
      current.on('error', (error) => output.destroy(error));
      start(null, current);
    });
  }
  zip.on('error', (error: Error) => output.destroy(error));
  zip.end();
  try {
    for await (const piece of output) yield piece as Uint8Array;
  } finally {
    current?.destroy();
  }
}

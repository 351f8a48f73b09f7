import { toDocument, type Block } from './markdown-document.ts';

/** What the page gets back: null for a text that is too intricate, or breaks the parser. */
export type Answer = Block[] | null;

/** Reads Markdown beside the page, which stays usable and can give up on it. */
self.addEventListener('message', ({ data }: MessageEvent<string>) => {
  self.postMessage(read(data));
});

function read(source: string): Answer {
  try {
    return toDocument(source);
  } catch {
    return null;
  }
}

import type { Block } from './markdown-document.ts';
import type { Answer } from './markdown-worker.ts';

/** A text that takes longer is shown as it was written. */
const PATIENCE_MS = 5_000;

/** Reads Markdown in a thread of its own. null if it is too intricate to be laid out. */
export async function readMarkdown(source: string, signal: AbortSignal): Promise<Block[] | null> {
  const worker = new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const giveUp = (): void => resolve(null);
  const timer = setTimeout(giveUp, PATIENCE_MS);
  signal.addEventListener('abort', giveUp);
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => resolve(data));
  worker.addEventListener('error', giveUp);
  worker.postMessage(source);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    worker.terminate();
  }
}

import { serveOnLoopback } from './providers/simulator-server.ts';

/** The phone of a demo: a server that takes messages as ntfy does, on loopback, and keeps none. */
export interface DemoPhone {
  /** The address of its topic. */
  url: string;
  close(): Promise<void>;
}

export async function startDemoPhone(): Promise<DemoPhone> {
  const { url, close } = await serveOnLoopback(async (incoming, outgoing) => {
    incoming.resume();
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end('{"id":"demo","event":"message","topic":"keller"}');
  });
  return { url: `${url}/keller`, close };
}

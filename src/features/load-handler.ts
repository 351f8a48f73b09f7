import type { Handler } from './handler.ts';

/** What names a handler: an operation, or work that a handler starts. */
export interface HandlerName {
  name: string;
  /** Its folder here. */
  group: string;
}

const loading = new Map<string, Promise<Handler>>();

/**
 * The handler of an operation: `createApiKey` of `api-keys` is api-keys/create-api-key.ts. Its code is read when it is
 * first called, so that a start, and a thread, loads only what it uses.
 */
export async function loadHandler({ name, group }: HandlerName): Promise<Handler> {
  const path = `${group}/${name}`;
  let handler = loading.get(path);
  if (!handler) {
    handler = load(group, name);
    loading.set(path, handler);
    handler.catch(() => loading.delete(path));
  }
  return handler;
}

/** `create-api-key` of `createApiKey`, `get-open-api-document` of `getOpenAPIDocument`. */
export function fileNameOf(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `-${letter}`).toLowerCase();
}

async function load(group: string, name: string): Promise<Handler> {
  const file = fileNameOf(name);
  const module = (await import(`./${group}/${file}.ts`)) as Readonly<Record<string, Handler | undefined>>;
  const handler = module[name];
  if (!handler) throw new Error(`src/features/${group}/${file}.ts exports no ${name}.`);
  return handler;
}

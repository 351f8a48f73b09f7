import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { AnyOperation } from '../contract/operation.ts';
import type { BackgroundTask, Handler } from './handler.ts';

/** What names a handler: an operation, or a background task. */
export interface HandlerName {
  name: string;
  /** Its folder below this one. */
  group: string;
}

const loading = new Map<string, Promise<Handler | BackgroundTask>>();

/**
 * The handler of an operation, or a background task, from the file that `handlerFile` names. Its code is loaded on the
 * first call, so that a start, and a thread, loads only what it uses.
 */
export async function loadHandler(operation: AnyOperation): Promise<Handler>;
export async function loadHandler(named: HandlerName): Promise<Handler | BackgroundTask>;
export async function loadHandler({ name, group }: HandlerName): Promise<Handler | BackgroundTask> {
  const path = `${group}/${name}`;
  let handler = loading.get(path);
  if (!handler) {
    handler = load(group, name);
    loading.set(path, handler);
    handler.catch(() => loading.delete(path));
  }
  return handler;
}

/**
 * Where a handler is, below this folder: `createTag` of `tags` is in tags/create-tag.ts if that file exists, otherwise
 * in tags/tags.handlers.ts, where a resource keeps its short handlers together.
 */
export function handlerFile({ name, group }: HandlerName, exists: (file: string) => boolean = isHere): string {
  const ownFile = `${group}/${inKebabCase(name)}.ts`;
  return exists(ownFile) ? ownFile : `${group}/${group}.handlers.ts`;
}

/** `create-api-key` for `createApiKey`, `get-open-api-document` for `getOpenAPIDocument`. */
function inKebabCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `-${letter}`).toLowerCase();
}

function isHere(file: string): boolean {
  return existsSync(join(import.meta.dirname, file));
}

async function load(group: string, name: string): Promise<Handler | BackgroundTask> {
  const file = handlerFile({ name, group });
  const module = (await import(/* @vite-ignore */ `./${file}`)) as Readonly<
    Record<string, Handler | BackgroundTask | undefined>
  >;
  const handler = module[name];
  if (!handler) throw new Error(`src/features/${file} does not export ${name}.`);
  return handler;
}

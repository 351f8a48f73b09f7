import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { handlerFile } from '../../src/features/load-handler.ts';
import { ROOT } from './tree.ts';

export interface OperationName {
  name: string;
  group: string;
}

const REGISTRY = 'src/contract/registry.ts';
const LISTS = ['operations', 'browserOperations', 'linkPageOperations'];

/** Operations whose handler is neither in a file of its own nor exported by the handlers of its resource. */
export function missingHandlers(operations: readonly OperationName[], texts: ReadonlyMap<string, string>): string[] {
  return operations.flatMap((operation) => {
    const path = `src/features/${handlerFile(operation, (file) => texts.has(`src/features/${file}`))}`;
    const text = texts.get(path);
    if (text === undefined) return [`${path}:1: missing, the handler of operation ${operation.name}`];
    const isExported = new RegExp(`^export const ${operation.name}\\b`, 'm').test(text);
    return isExported ? [] : [`${path}:1: does not export the handler ${operation.name}`];
  });
}

export async function loadOperations(): Promise<OperationName[]> {
  if (!existsSync(join(ROOT, REGISTRY))) throw new Error(`${REGISTRY} is missing`);
  const registry: unknown = await import(/* @vite-ignore */ pathToFileURL(join(ROOT, REGISTRY)).href);
  const lists = isRecord(registry) ? LISTS.map((name) => registry[name]) : [];
  if (lists.length === 0 || !lists.every((list) => Array.isArray(list))) {
    throw new Error(`${REGISTRY} does not export its lists of operations`);
  }
  return lists.flat().map((operation: unknown) => {
    if (!isRecord(operation) || typeof operation['name'] !== 'string' || typeof operation['group'] !== 'string') {
      throw new Error(`${REGISTRY} lists an operation without a name or group`);
    }
    return { name: operation['name'], group: operation['group'] };
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

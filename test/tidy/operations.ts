import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { fileNameOf } from '../../src/features/load-handler.ts';
import { ROOT } from './tree.ts';

export interface OperationName {
  name: string;
  group: string;
}

const REGISTRY = 'src/contract/registry.ts';

/** Where the handler of an operation lives: `createApiKey` of `api-keys` is features/api-keys/create-api-key.ts. */
export function handlerPath({ name, group }: OperationName): string {
  return `src/features/${group}/${fileNameOf(name)}.ts`;
}

export function missingHandlers(operations: readonly OperationName[], paths: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  const seen = new Map<string, string>();
  for (const operation of operations) {
    const path = handlerPath(operation);
    const other = seen.get(path);
    seen.set(path, operation.name);
    if (!paths.has(path)) problems.push(`${path}:1: missing, the handler of operation ${operation.name}`);
    if (other !== undefined) problems.push(`${path}:1: the handler of both ${other} and ${operation.name}`);
  }
  return problems;
}

export async function loadOperations(): Promise<OperationName[]> {
  if (!existsSync(join(ROOT, REGISTRY))) throw new Error(`${REGISTRY} is missing`);
  const registry: unknown = await import(/* @vite-ignore */ pathToFileURL(join(ROOT, REGISTRY)).href);
  if (!isRecord(registry) || !Array.isArray(registry['operations']))
    throw new Error(`${REGISTRY} exports no operations`);
  return registry['operations'].map((operation: unknown) => {
    if (!isRecord(operation) || typeof operation['name'] !== 'string' || typeof operation['group'] !== 'string') {
      throw new Error(`${REGISTRY} lists an operation without a name or group`);
    }
    return { name: operation['name'], group: operation['group'] };
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

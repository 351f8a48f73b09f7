import type { AnyOperation, Method } from './operation.ts';
import { operations } from './registry.ts';

/** What changes or removes what is there already; a POST makes something or starts something. */
const CONDITIONAL: readonly Method[] = ['PUT', 'PATCH', 'DELETE'];

const reads = new Map(operations.filter(({ method }) => method === 'GET').map((one) => [one.path, one]));

/** The read whose ETag a write takes in If-Match (contract 0.7): that of its path, or else of the nearest path above. */
export function recordOf({ method, path }: AnyOperation): AnyOperation | undefined {
  if (!CONDITIONAL.includes(method)) return undefined;
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const read = reads.get(at);
    if (read) return read;
  }
  return undefined;
}

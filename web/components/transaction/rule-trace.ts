import { z } from 'zod';

/** How a condition was evaluated, node by node. */
export type Trace =
  | { path: string; kind: 'all'; result: boolean }
  | { path: string; kind: 'and' | 'or' | 'not'; result: boolean; children: readonly Trace[] }
  | { path: string; kind: 'leaf'; field: string; op: string; expected?: unknown; actual?: unknown; result: boolean };

const node = { path: z.string(), result: z.boolean() };
const Node: z.ZodType<Trace> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ ...node, kind: z.literal('all') }),
    z.object({ ...node, kind: z.enum(['and', 'or', 'not']), children: z.array(Node) }),
    z.object({
      ...node,
      kind: z.literal('leaf'),
      field: z.string(),
      op: z.string(),
      expected: z.unknown(),
      actual: z.unknown(),
    }),
  ]),
);

/** Null where the rule was not reached. */
export function readTrace(trace: unknown): Trace | null {
  const read = Node.safeParse(trace);
  return read.success ? read.data : null;
}

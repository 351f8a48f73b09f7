import { z } from 'zod';

import { controlPage, type ControlledBank } from './control-page.ts';
import type { SimulatedAnswer, SimulatedRequest } from './simulator-server.ts';

/** What the caller of the control interface got wrong; its message is the answer. */
export class ControlError extends Error {
  readonly status: 400 | 404;

  constructor(message: string, status: 400 | 404 = 400) {
    super(message);
    this.status = status;
  }
}

export interface ControlRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/_control`, without its first slash; `{id}` stands for one part. */
  path: string;
  status: 200 | 201 | 204;
  run(body: unknown, id: string): unknown;
}

/** Answers a call below `/_control` with the route that it names. */
export async function answerControl(
  routes: readonly ControlRoute[],
  banks: () => readonly ControlledBank[],
  { method, path, body, text }: SimulatedRequest,
): Promise<SimulatedAnswer> {
  if (method === 'GET' && /^\/_control\/?$/.test(path)) return controlPage(banks());
  const parts = path.split('/').slice(2);
  const route = routes.find((one) => one.method === method && matches(one.path, parts));
  if (!route) return refusal(404, `There is no ${method} ${path}.`);
  if (body === undefined && text !== '') return refusal(400, 'The body is not JSON.');
  try {
    const result = await route.run(body ?? {}, decodeURIComponent(parts[1] ?? ''));
    return route.status === 204 ? { status: 204 } : { status: route.status, body: result };
  } catch (error) {
    if (error instanceof z.ZodError) return refusal(400, z.prettifyError(error));
    if (error instanceof ControlError) return refusal(error.status, error.message);
    throw error;
  }
}

function matches(pattern: string, parts: readonly string[]): boolean {
  const wanted = pattern.split('/');
  return wanted.length === parts.length && wanted.every((part, index) => part === '{id}' || part === parts[index]);
}

function refusal(status: number, message: string): SimulatedAnswer {
  return { status, body: { error: message } };
}

/** An instant of the control interface, as text or Unix seconds; read as milliseconds. */
export const InstantSchema = z
  .union([z.string(), z.number()])
  .transform((value) => (typeof value === 'number' ? value * 1000 : Date.parse(value)))
  .refine(Number.isFinite, 'must be an instant such as 2026-03-02T14:00:00Z, or Unix seconds');

export const ClockSchema = z.union([
  z.strictObject({ now: InstantSchema }),
  z.strictObject({ advance_seconds: z.number() }),
]);

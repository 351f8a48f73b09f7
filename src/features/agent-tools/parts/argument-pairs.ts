import { invalidParameter } from '../../../kernel/errors.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * Refuses an argument that has no effect without another one: the agent would think that it had one.
 * @throws INVALID_PARAMETER
 */
export function refuseUnless(isGiven: boolean, input: Input, names: readonly string[], needed: string): void {
  const useless = isGiven ? undefined : names.find((name) => input[name] !== undefined);
  if (useless !== undefined) throw invalidParameter(useless, `${useless} has no effect without ${needed}.`);
}

/** Filters have no effect when an id asks for one record. @throws INVALID_PARAMETER */
export function refuseBeside(id: string, input: Input, names: readonly string[]): void {
  const useless = input[id] === undefined ? undefined : names.find((name) => input[name] !== undefined);
  if (useless === undefined) return;
  throw invalidParameter(useless, `${useless} has no effect together with ${id}. Send only one of them.`);
}

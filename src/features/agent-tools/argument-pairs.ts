import { invalidParameter } from '../../kernel/errors.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * An argument that means nothing without another one is refused, because an agent would believe that it did something.
 * @throws INVALID_PARAMETER
 */
export function refuseUnless(isGiven: boolean, input: Input, names: readonly string[], needed: string): void {
  const useless = isGiven ? undefined : names.find((name) => input[name] !== undefined);
  if (useless !== undefined) throw invalidParameter(useless, `${useless} has no effect without ${needed}.`);
}

/** An id that asks for one record leaves nothing for filters to do. @throws INVALID_PARAMETER */
export function refuseBeside(id: string, input: Input, names: readonly string[]): void {
  const useless = input[id] === undefined ? undefined : names.find((name) => input[name] !== undefined);
  if (useless === undefined) return;
  throw invalidParameter(useless, `${useless} has no effect beside ${id}, which asks for one. Send only one of them.`);
}

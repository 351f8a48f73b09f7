import { AppError } from '../../kernel/errors.ts';
import { lowestOf, type KeyScope } from '../../kernel/scopes.ts';
import type { Tool } from './tool.ts';

/** Writes that change no data of the household, so that there is nothing to decide about them. */
const NEVER_PROPOSED: ReadonlySet<string> = new Set(['submit_report']);

/** One of the bounds of what a caller may do, and how its refusal reads. */
export interface Bound {
  right: KeyScope;
  /** Begins a sentence: "The API key". */
  whose: string;
}

/** The lowest of the bounds. */
export function rightWithin(bounds: readonly Bound[]): KeyScope {
  return lowestOf(bounds.map(({ right }) => right));
}

/** Whether a caller sees the tool and may call it (contract 70.1). */
export function isOffered({ info, operation }: Tool, right: KeyScope): boolean {
  if (right === 'full_access') return true;
  if (right === 'read_only') return operation.scope === 'read_only';
  return info.effect === 'read' || info.isProposable || NEVER_PROPOSED.has(info.name);
}

/** Whether what the tool would write becomes a proposal. */
export function isProposed({ info }: Tool, right: KeyScope): boolean {
  return right === 'propose' && info.effect === 'write' && info.isProposable;
}

/** @throws FORBIDDEN */
export function refuseUnoffered(tool: Tool, bounds: readonly Bound[]): void {
  const refusing = bounds.find(({ right }) => !isOffered(tool, right));
  if (!refusing) return;
  const what =
    refusing.right === 'read_only'
      ? 'allows reading only'
      : 'allows only proposals, and what this tool does cannot be proposed';
  throw new AppError('FORBIDDEN', `${refusing.whose} ${what}. Nothing was done.`);
}

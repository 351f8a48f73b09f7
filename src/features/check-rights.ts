import { isClosedToAgents, type AnyOperation } from '../contract/operation.ts';
import { AppError } from '../kernel/errors.ts';
import { covers } from '../kernel/scopes.ts';
import type { Principal } from './handler.ts';

type Rights = Pick<AnyOperation, 'scope' | 'adminOnly' | 'closedToAgents'>;

/** Whether an agent acts: with a key of its own, over standard input and output, or in a run of a workflow. */
export function isAgent(principal: Principal | null): boolean {
  return principal?.actor.type === 'agent';
}

/** What a key or session may do, whatever it sends (contract 20.1, 20.4). @throws FORBIDDEN */
export function checkRights(principal: Principal, operation: Rights): void {
  const { scope: needed, adminOnly } = operation;
  if (needed !== 'none') checkScope(principal, needed);
  refuseAgents(principal, operation);
  const role = principal.session?.role;
  if (adminOnly === true && principal.kind === 'session' && role !== 'admin') {
    throw new AppError('FORBIDDEN', `Only an admin can do this. Your role is ${role}.`);
  }
}

/** @throws FORBIDDEN */
export function checkScope(principal: Principal, needed: 'read_only' | 'full_access'): void {
  const { kind, scope, session, isLowered } = principal;
  if (covers(scope, needed)) return;
  if (kind === 'session') {
    const message = `Your role is ${session?.role}, which allows reading only. Ask an admin of the household to change it.`;
    throw new AppError('FORBIDDEN', message);
  }
  const whose = isLowered === true ? 'The household lets agents' : 'This key may';
  if (scope === 'propose') {
    const message = `${whose} only propose changes, and not over this address. Use the tools at /mcp: what they would write becomes a proposal, which a person decides on.`;
    throw new AppError('FORBIDDEN', message);
  }
  if (isLowered === true) throw new AppError('FORBIDDEN', `${whose} only read. An admin can change that under Agents.`);
  throw new AppError('FORBIDDEN', `This request needs an API key with the scope ${needed}; this one has ${scope}.`);
}

/** At every door, tools and runs too. @throws FORBIDDEN */
export function refuseAgents(principal: Principal | null, operation: Omit<Rights, 'scope'>): void {
  if (isClosedToAgents(operation) && isAgent(principal)) throw closedToAgents();
}

export function closedToAgents(): AppError {
  const message = 'No agent may do this, whatever its scope. Ask a person, who signs in or uses a key of their own.';
  return new AppError('FORBIDDEN', message);
}

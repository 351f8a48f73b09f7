/** What a key may do, from least to most: read, propose what a person then decides on, or everything (contract 20.4). */
export const SCOPES = ['read_only', 'propose', 'full_access'] as const;
export type KeyScope = (typeof SCOPES)[number];
/** The most that the household lets agents do. */
export type AgentMode = 'read_only' | 'propose' | 'read_write';

/** Undefined for a text that is no scope: whoever has it may do nothing. */
export function scopeNamed(text: string): KeyScope | undefined {
  return SCOPES.find((scope) => scope === text);
}

export function isBelow(one: KeyScope, other: KeyScope): boolean {
  return SCOPES.indexOf(one) < SCOPES.indexOf(other);
}

export function lowestOf(scopes: readonly KeyScope[]): KeyScope {
  return scopes.reduce((lowest, scope) => (isBelow(scope, lowest) ? scope : lowest), 'full_access');
}

/** Whether a scope allows what an operation needs. Proposing is reading here: only the tools of agents make proposals. */
export function covers(granted: string, needed: 'read_only' | 'full_access'): boolean {
  const scope = scopeNamed(granted);
  return scope !== undefined && (needed === 'read_only' || scope === 'full_access');
}

/** The scope that the household's mode for agents leaves at most (contract 70.7). */
export function scopeOfMode(mode: AgentMode): KeyScope {
  return mode === 'read_write' ? 'full_access' : mode;
}

/** The scope of an agent's key, lowered to the household's mode; what is no scope stays none. */
export function effectiveScope(granted: string, mode: AgentMode): string {
  const scope = scopeNamed(granted);
  return scope === undefined ? granted : lowestOf([scope, scopeOfMode(mode)]);
}

import { instantNow } from '../../kernel/clock.ts';
import type { KeyScope } from '../../kernel/scopes.ts';
import { boundedArguments } from '../agent-calls/index.ts';
import type { Instance, Principal } from '../handler.ts';
import type { CallingRun, CallRecord } from './agent-call.ts';

/** Who calls, and through what. */
export interface AgentCaller {
  principal: Principal;
  surface: 'mcp' | 'workflow';
  transport: 'http' | 'stdio' | null;
  /** What the surface allows at most, such as `--scope`. */
  most: KeyScope;
  clientName: string | null;
  clientVersion: string | null;
  requestId: string;
  baseUrl: string;
  /** Under what `progress` tells how far the call is, if the client wants to know. */
  progressId?: string;
  run: CallingRun | null;
}

/** What is recorded of a call before its outcome is known: of tools, resources (`resource:<uri>`) and prompts. */
export function startRecord(
  { ids, clock }: Instance,
  caller: AgentCaller,
  called: { tool: string; effect: 'read' | 'write'; arguments: unknown },
): CallRecord {
  const { principal, surface, transport, clientName, clientVersion, run } = caller;
  return {
    id: ids.uuid(),
    short_id: ids.shortId(),
    tool: called.tool,
    effect: called.effect,
    surface,
    transport,
    principal_type: principal.actor.type,
    principal_id: principal.actor.id,
    principal_name: principal.actor.name,
    api_key_id: principal.kind === 'key' ? principal.id : null,
    run_id: run?.id ?? null,
    client_name: clientName,
    client_version: clientVersion,
    reason: null,
    arguments: boundedArguments(JSON.stringify(objectOf(called.arguments))),
    created_at: instantNow(clock),
  };
}

/** A record has an object, whatever was sent in the place of one. */
function objectOf(sent: unknown): object {
  if (typeof sent !== 'object' || Array.isArray(sent)) return sent === undefined ? {} : { arguments: sent };
  return sent ?? {};
}

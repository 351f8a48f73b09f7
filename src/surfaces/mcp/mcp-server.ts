import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  Server,
  type Implementation,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** What answers the requests of a client: this process, or another server that they are passed on to. */
export interface Backend {
  version: string;
  instructions: string;
  /** @throws ProtocolError */
  answer: (request: AgentRequest) => Promise<Readonly<Record<string, unknown>>>;
}

export type AgentMethod = (typeof METHODS)[number];

export interface AgentRequest {
  method: AgentMethod;
  params: Readonly<Record<string, unknown>>;
  /** What the client says it is; null if it does not. */
  clientName: string | null;
  clientVersion: string | null;
  /** Set if the client wants progress notifications. */
  onProgress: ((progress: Progress) => void) | undefined;
}

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

const METHODS = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
] as const;
/** Not to be cached: settings apply from the next request, and each caller sees a different list. */
const CACHE_HINT = { ttlMs: 0, cacheScope: 'private' } as const;
const CACHE_HINTS = {
  'tools/list': CACHE_HINT,
  'resources/list': CACHE_HINT,
  'resources/templates/list': CACHE_HINT,
  'resources/read': CACHE_HINT,
  'prompts/list': CACHE_HINT,
  'server/discover': CACHE_HINT,
};
const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;

/** What a request says is judged by what answers it. */
const ANY_PARAMS = { params: z.custom<Readonly<Record<string, unknown>>>() };
type Handler = Parameters<Server['_wrapHandler']>[1];

/**
 * Left to itself, the library answers a wrong request with its schema, drops an argument named `__proto__`, and takes
 * wrong parameters of a handshake for an error of ours.
 */
class AgentServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    if (method === 'tools/call') return handler;
    const wrapped = super._wrapHandler(method, handler);
    return method === 'initialize' ? refusing(wrapped, HANDSHAKE) : wrapped;
  }
}

const HANDSHAKE =
  'An initialize request needs protocolVersion (a text such as "2025-11-25"), capabilities (an object), and clientInfo ' +
  '(an object with name and version).';

/** The handler fails at nothing but the form of its parameters. */
function refusing(handler: Handler, message: string): Handler {
  return async (request, context) => {
    try {
      return await handler(request, context);
    } catch {
      throw invalidParams(message);
    }
  };
}

/** A server of the protocol for one request over HTTP, or for one connection over stdio. */
export function createMcpServer({ version, instructions, answer }: Backend): Server {
  const server = new AgentServer(
    { name: 'homeledger', title: 'Homeledger', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions, cacheHints: CACHE_HINTS },
  );
  for (const method of METHODS) {
    server.setRequestHandler(method, ANY_PARAMS, (params, context) =>
      answer({ method, params, ...clientOf(server, context), onProgress: progressOf(context) }),
    );
  }
  return server;
}

function clientOf(server: Server, { mcpReq }: ServerContext): Pick<AgentRequest, 'clientName' | 'clientVersion'> {
  const envelope = mcpReq.envelope as Readonly<Record<string, Implementation | undefined>> | undefined;
  const client = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  return { clientName: client?.name ?? null, clientVersion: client?.version ?? null };
}

function progressOf({ mcpReq }: ServerContext): AgentRequest['onProgress'] {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return undefined;
  return (progress) => {
    // If the client is gone, nothing is sent, and the call continues.
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken: token, ...progress } }).catch(() => {});
  };
}

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, message);
}

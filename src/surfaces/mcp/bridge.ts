import { ProtocolError } from '@modelcontextprotocol/server';

import { VERSION } from '../../kernel/config.ts';
import { AppError, ERRORS, type ErrorCode } from '../../kernel/errors.ts';
import { INSTRUCTIONS } from '../../features/agent-tools/guides/guides.ts';
import { INTERNAL_ERROR, type AgentRequest, type Backend, type Progress } from './mcp-server.ts';

export interface Remote {
  baseUrl: string;
  token: string;
}

type Result = Readonly<Record<string, unknown>>;

interface Message {
  id?: unknown;
  method?: string;
  params?: unknown;
  result?: Result;
  error?: { code: number | string; message: string };
}

/** Passes everything on to a running server. While it is unreachable, says so, and resumes when it is back (contract 85.5). */
export async function bridgeTo(remote: Remote): Promise<Backend> {
  const known = await introduction(remote);
  return {
    ...known,
    async answer(request) {
      try {
        return await passOn(remote, request);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (request.method !== 'tools/call') throw new ProtocolError(INTERNAL_ERROR, `${error.code}: ${error.message}`);
        const { code, message } = error;
        const text = `${code}: ${message}`;
        return { isError: true, content: [{ type: 'text', text }], structuredContent: { error: { code, message } } };
      }
    },
  };
}

/**
 * Checks that the server accepts the key. A server that cannot be reached may accept it later.
 * @throws INVALID_API_KEY, REVOKED_API_KEY
 */
export async function checkRemoteKey(remote: Remote): Promise<void> {
  try {
    await send(remote, 'ping', {}, {});
  } catch (error) {
    if (error instanceof AppError && error.status === 401) throw error;
  }
}

/** How the server introduces itself; while it cannot be reached, what any server of this version says. */
async function introduction(remote: Remote): Promise<Pick<Backend, 'version' | 'instructions'>> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'homeledger-bridge', version: VERSION },
  };
  try {
    const { serverInfo, instructions } = (await send(remote, 'initialize', params, {})) as {
      serverInfo: { version: string };
      instructions: string;
    };
    return { version: serverInfo.version, instructions };
  } catch {
    return { version: VERSION, instructions: INSTRUCTIONS };
  }
}

async function passOn(remote: Remote, request: AgentRequest): Promise<Result> {
  const { method, params, clientName, clientVersion, onProgress } = request;
  const agent = [clientName, clientVersion].filter((part) => part !== null).map(asToken);
  const headers = agent.length === 0 ? {} : { 'user-agent': agent.join('/') };
  const { _meta: meta, ...rest } = params as { _meta?: Result };
  const own = Object.entries(meta ?? {}).filter(([name]) => !name.startsWith('io.modelcontextprotocol/'));
  const sent = own.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(own) };
  return send(remote, method, sent, headers, onProgress);
}

function asToken(text: string): string {
  return text.replaceAll(/[^\w.+-]+/g, '-').slice(0, 100);
}

/** @throws AppError for what the server or the network refuses, ProtocolError for what the protocol does */
async function send(
  { baseUrl, token }: Remote,
  method: string,
  params: Result,
  headers: Readonly<Record<string, string>>,
  onProgress?: (progress: Progress) => void,
): Promise<Result> {
  const address = new URL('/mcp', baseUrl);
  let response: Response;
  try {
    response = await fetch(address, {
      method: 'POST',
      // The key is for this address alone.
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const answer = await readAnswer(response, onProgress);
    if (answer?.result) return answer.result;
    throw refusalOf(response, answer, address);
  } catch (error) {
    if (error instanceof AppError || error instanceof ProtocolError) throw error;
    throw unreachable(address, (error as { cause?: { code?: string } }).cause?.code);
  }
}

/** The answer itself, also at the end of an event stream; undefined if it is not from a Homeledger server. */
async function readAnswer(response: Response, onProgress?: (progress: Progress) => void): Promise<Message | undefined> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    const text = await response.text();
    try {
      return JSON.parse(text) as Message;
    } catch {
      return undefined;
    }
  }
  let answer: Message | undefined;
  for await (const message of eventsOf(response)) {
    if (message.method === 'notifications/progress') onProgress?.(withoutToken(message.params as Progress));
    else if (message.id !== undefined) answer = message;
  }
  return answer;
}

function withoutToken({ progress, total, message }: Progress): Progress {
  return { progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) };
}

async function* eventsOf({ body }: Response): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body as ReadableStream<Uint8Array>) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as Message;
  }
}

function refusalOf({ status }: Response, answer: Message | undefined, address: URL): AppError | ProtocolError {
  const error = answer?.error;
  if (error && typeof error.code === 'number') return new ProtocolError(error.code, error.message);
  if (error && error.code in ERRORS) return new AppError(error.code as ErrorCode, error.message);
  const message = `${address.origin} answered with HTTP status ${status} and does not look like a Homeledger server. Check the address.`;
  return new AppError('UNAVAILABLE', message);
}

/** It is certain that nothing was done only if the connection was never made. */
function unreachable({ origin }: URL, code: string | undefined): AppError {
  const isUnmade = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code ?? '');
  const message = isUnmade
    ? `The Homeledger server at ${origin} cannot be reached. Nothing was done. Try again when it is running.`
    : `The connection to the Homeledger server at ${origin} broke. If this was a write, check whether it was done before you repeat it.`;
  return new AppError('UNAVAILABLE', message);
}

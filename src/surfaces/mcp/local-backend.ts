import { ProtocolError } from '@modelcontextprotocol/server';

import { readAgentSettings, type AgentSettingValues } from '../../features/agent-calls/index.ts';
import { startRecord, type AgentCaller } from '../../features/agent-tools/call-record.ts';
import { boundsOf, callTool, keepRecord, UnknownTool } from '../../features/agent-tools/call-tool.ts';
import { INSTRUCTIONS } from '../../features/agent-tools/guides/guides.ts';
import { rightWithin } from '../../features/agent-tools/tool-rights.ts';
import { householdZone } from '../../features/config/index.ts';
import type { Instance, Principal } from '../../features/handler.ts';
import type { Dispatch } from '../../features/run-operation.ts';
import { todayIn } from '../../kernel/dates.ts';
import { AppError } from '../../kernel/errors.ts';
import { listTools } from '../../features/agent-tools/listed-tools.ts';
import { INTERNAL_ERROR, invalidParams, type AgentRequest, type Backend } from './mcp-server.ts';
import { listedPrompts, PROMPTS, promptText } from './prompts.ts';
import { findResource, RESOURCES, RESOURCE_TEMPLATES } from './resources.ts';

/** Who calls, as far as it is known before the request is read. */
export interface Connection extends Omit<AgentCaller, 'surface' | 'run' | 'principal' | 'requestId'> {
  /** By the name of the client, if there is no key. @throws what refuses the key */
  principal: (client: string | null) => Promise<Principal>;
  /** null if each message is a request of its own. */
  requestId: string | null;
}

type Result = Readonly<Record<string, unknown>>;

interface Asked {
  instance: Instance;
  dispatch: Dispatch;
  caller: AgentCaller;
  request: AgentRequest;
}

/** Answers from the ledger of this process. */
export async function localBackend(instance: Instance, dispatch: Dispatch, connection: Connection): Promise<Backend> {
  const { instructions } = await instance.database.read(readAgentSettings);
  return {
    version: instance.version,
    instructions: instructions ?? INSTRUCTIONS,
    async answer(request) {
      const requestId = connection.requestId ?? instance.ids.uuid();
      try {
        const caller: AgentCaller = {
          ...connection,
          principal: await connection.principal(request.clientName),
          surface: 'mcp',
          run: null,
          clientName: request.clientName ?? connection.clientName,
          clientVersion: request.clientName === null ? connection.clientVersion : request.clientVersion,
          requestId,
          ...(request.onProgress ? { progressId: instance.ids.uuid() } : {}),
        };
        return await ANSWERS[request.method]({ instance, dispatch, caller, request });
      } catch (error) {
        throw asProtocolError(instance, error, requestId);
      }
    },
  };
}

const ANSWERS: Readonly<Record<AgentRequest['method'], (asked: Asked) => Promise<Result>>> = {
  'tools/list': async ({ instance, caller }) => {
    const settings = await settingsOf(instance);
    return { tools: listTools(rightWithin(boundsOf(caller, settings)), settings.disabled_tools) };
  },
  'tools/call': callNamedTool,
  'resources/list': async ({ instance }) => {
    const { disabled_tools: disabled } = await settingsOf(instance);
    const shown = RESOURCES.filter(({ tool }) => !disabled.includes(tool));
    return { resources: shown.map(({ uri, name, title, mimeType }) => ({ uri, name, title, mimeType })) };
  },
  'resources/templates/list': async () => ({ resourceTemplates: RESOURCE_TEMPLATES }),
  'resources/read': readResource,
  'prompts/list': async () => ({ prompts: listedPrompts() }),
  'prompts/get': getPrompt,
};

async function settingsOf({ database }: Instance): Promise<AgentSettingValues> {
  return database.read(readAgentSettings);
}

async function callNamedTool({ instance, dispatch, caller, request }: Asked): Promise<Result> {
  const { name, arguments: sent, _meta: meta } = request.params;
  if (typeof name !== 'string') throw invalidParams('name: must be the name of a tool. See tools/list.');
  const stop = tellProgress(instance, caller, request);
  const called = { tool: name, arguments: sent ?? {}, meta: meta ?? {}, caller };
  const { content, text, isError } = await callTool(instance, dispatch, called).finally(() => stop?.());
  return { content: [{ type: 'text', text }], structuredContent: content, ...(isError ? { isError } : {}) };
}

/** Tells a client that wants to know how far its call is, until the function that it answers is called. */
function tellProgress(
  { progress }: Instance,
  { progressId }: AgentCaller,
  { onProgress }: AgentRequest,
): (() => void) | undefined {
  if (progressId === undefined || onProgress === undefined) return undefined;
  return progress.watch(progressId, (noted) => {
    const { done, total } = JSON.parse(noted) as { done: number; total: number };
    onProgress({ progress: done, total });
  });
}

async function readResource({ instance, dispatch, caller, request }: Asked): Promise<Result> {
  const { uri } = request.params;
  if (typeof uri !== 'string') throw invalidParams('uri: must be the URI of a resource. See resources/list.');
  const resource = findResource(uri);
  if (!resource) throw invalidParams('This resource does not exist. See resources/list.');
  const { tool, arguments: sent, mimeType } = resource;
  const answer = await callTool(instance, dispatch, {
    tool,
    arguments: sent,
    meta: {},
    caller,
    recordedAs: `resource:${uri}`,
  });
  if (answer.isError) throw invalidParams(answer.text);
  return { contents: [{ uri, mimeType, text: resource.text(answer.content as Result) }] };
}

async function getPrompt({ instance, caller, request }: Asked): Promise<Result> {
  const { name, arguments: sent } = request.params;
  if (typeof name !== 'string') throw invalidParams('name: must be the name of a prompt. See prompts/list.');
  const prompt = PROMPTS.find((one) => one.name === name);
  if (!prompt) throw invalidParams('This prompt does not exist. See prompts/list.');
  const record = startRecord(instance, caller, { tool: `prompt:${name}`, effect: 'read', arguments: sent });
  const mayWrite = rightWithin(boundsOf(caller, await settingsOf(instance))) !== 'read_only';
  const today = todayIn(await instance.database.read(householdZone), instance.clock);
  try {
    const text = promptText(prompt, sent, { mayWrite, today });
    await keepRecord(instance, record, { errorCode: null, resultBytes: Buffer.byteLength(text), changeSetId: null });
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  } catch (error) {
    if (error instanceof ProtocolError) {
      await keepRecord(instance, record, { errorCode: 'VALIDATION_ERROR', resultBytes: 0, changeSetId: null });
    }
    throw error;
  }
}

/** The protocol's own errors are for everything but tool calls; they say as little as those of the REST API. */
function asProtocolError({ logger }: Instance, error: unknown, requestId: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof UnknownTool)
    return invalidParams('This tool does not exist, or is switched off. See tools/list.');
  if (error instanceof AppError) {
    return new ProtocolError(error.status < 500 ? -32_602 : INTERNAL_ERROR, `${error.code}: ${error.message}`);
  }
  logger.error({ err: error, request_id: requestId }, 'A request of an agent failed.');
  return new ProtocolError(INTERNAL_ERROR, `Something went wrong on our side. The request id is ${requestId}.`);
}

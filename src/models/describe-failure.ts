import { APICallError } from 'ai';

import { readRetryAfter } from '../kernel/dates.ts';
import { LIMITS } from '../kernel/limits.ts';
import { ModelFailure, type ModelFailureKind } from './model.ts';
import { TransportFailure } from './model-transport.ts';

/** What a request came to as a failure of the port. Nothing that was sent is in it, whatever the server echoes. */
export function describeFailure(error: unknown, { key, now }: { key: string | null; now: number }): ModelFailure {
  const transport = causesOf(error).find((one) => one instanceof TransportFailure);
  if (transport) return new ModelFailure(transport.isPassing ? 'network' : 'refused', transport.message);
  const answered = causesOf(error).find((one) => APICallError.isInstance(one));
  if (!answered?.statusCode) return new ModelFailure('refused', UNREADABLE, { isAnswered: true });
  const said = readSaid(answered.responseBody);
  const status = isSuccess(answered.statusCode) ? (said.status ?? answered.statusCode) : answered.statusCode;
  if (isSuccess(status) && said.text === '')
    return new ModelFailure('refused', UNREADABLE, { status, isAnswered: true });
  const kind = kindOf(status, said.text);
  const quoted = cleaned(said.text, key);
  const message = `${SENTENCES[kind]} (status ${status}).${quoted === '' ? '' : ` It says: ${quoted}`}`;
  const retryAfterMs = readRetryAfter(answered.responseHeaders?.['retry-after'], now);
  return new ModelFailure(kind, message, { status, retryAfterMs });
}

const UNREADABLE =
  'The model server sent an answer that cannot be read. Check that the base URL is that of its API, often ending in /v1.';

const SENTENCES: Readonly<Record<ModelFailureKind, string>> = {
  auth: 'The model provider does not accept the key',
  busy: 'The model provider is busy or has failed',
  refused: 'The model provider refused the request',
  network: 'The model provider cannot be reached',
  context_too_long: 'The request is longer than the context of the model',
};

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** How Anthropic, OpenAI, Ollama, llama.cpp, vLLM, LM Studio and others say that a prompt is too long. */
const TOO_LONG =
  /prompt (is )?too long|context[ _-]?(length|window|size|limit|overflow)|maximum (model|input|sequence) length|maximum number of tokens|input token count|exceed[a-z_]* (the )?(available )?context|too many (input )?tokens in|too large for model/i;

/** Servers that cannot do tools, or cannot read the request, say so with a 500: asking again would not help. */
const CANNOT = /--jinja|\btemplate\b|does not support tools|\bgrammar\b/i;

function kindOf(status: number, said: string): ModelFailureKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return 'busy';
  if (status === 413 || TOO_LONG.test(said)) return 'context_too_long';
  if (status >= 500 && CANNOT.test(said)) return 'refused';
  return status === 408 || status >= 500 ? 'busy' : 'refused';
}

/** The words of the server: `error.message`, or one of the forms that other servers use. */
function readSaid(body: string | undefined): { text: string; status: number | null } {
  let json: unknown;
  try {
    json = JSON.parse(body ?? '');
  } catch {
    return { text: '', status: null };
  }
  const root = asObject(json);
  const error = asObject(root['error']);
  const candidates = [error['message'], root['error'], root['message'], root['detail'], error['code'], error['type']];
  const code = Number(error['code']);
  return {
    text: (candidates.find((one) => typeof one === 'string' && one !== '') as string | undefined) ?? '',
    status: Number.isInteger(code) && code >= 400 && code < 600 ? code : null,
  };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Keys in the forms of the large providers, and what follows the name of a header that carries one. */
const SECRETS =
  /\b(sk|pk|rk|key)-[\w*.-]{4,}|\b(bearer|authorization|x-api-key|api[_-]key)["']?\s*[:=]?\s*["']?(bearer\s+)?[^\s"',;]{4,}/gi;

/** One line of text without control characters and without anything like a key. */
function cleaned(text: string, key: string | null): string {
  let safe = text;
  for (const form of key === null ? [] : [key, encodeURIComponent(key), Buffer.from(key).toString('base64')]) {
    safe = safe.replaceAll(form, '***');
  }
  safe = safe
    .replace(SECRETS, '***')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  return safe.length > LIMITS.modelMessageChars ? `${safe.slice(0, LIMITS.modelMessageChars).toWellFormed()}…` : safe;
}

/** An error, and what caused it. */
function causesOf(error: unknown): unknown[] {
  const found: unknown[] = [];
  for (let one = error; one !== undefined && one !== null && found.length < 5;) {
    found.push(one);
    one = (one as { cause?: unknown }).cause;
  }
  return found;
}

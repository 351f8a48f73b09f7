import type { SimulatedRequest } from '../providers/simulator-server.ts';
import type { ModelErrorName } from './reply.ts';
import { Refused, type ErrorDetails, type Fault, type ModelWorld } from './wire.ts';

/** The error of OpenAI, which all servers that are like it have taken over. */
export function openAiError(
  status: number,
  error: { message: string; type?: string; param?: string | null; code?: string | null },
  headers: Record<string, string> = {},
): Refused {
  const { message, type = 'invalid_request_error', param = null, code = null } = error;
  return new Refused(status, { error: { message, type, param, code } }, headers);
}

export function checkBearer({ headers }: SimulatedRequest, { key }: ModelWorld, bearer: 'required' | 'optional'): void {
  const given = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1];
  if (given === undefined) {
    if (bearer === 'optional' && key === null) return;
    throw openAiError(401, {
      message:
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
    });
  }
  if (key === null || given === key) return;
  const hint = `${given.slice(0, 3)}***${given.slice(-4)}`;
  throw openAiError(401, {
    message: `Incorrect API key provided: ${hint}. You can find your API key at https://platform.openai.com/account/api-keys.`,
    code: 'invalid_api_key',
  });
}

export function faultError({ path, kind, message }: Fault): Refused {
  const param = path
    .map((one, index) => (typeof one === 'number' ? `[${one}]` : index === 0 ? one : `.${one}`))
    .join('');
  if (kind === 'missing') {
    return openAiError(400, {
      message: `Missing required parameter: '${param}'.`,
      param,
      code: 'missing_required_parameter',
    });
  }
  if (kind === 'unknown') {
    return openAiError(400, { message: `Unknown parameter: '${param}'.`, param, code: 'unknown_parameter' });
  }
  return openAiError(400, { message: `Invalid value for '${param}': ${message}`, param, code: 'invalid_value' });
}

export function openAiFailure(
  error: ModelErrorName,
  { message, retryAfter, model, promptTokens, contextTokens }: ErrorDetails,
  param: 'input' | 'messages',
): Refused {
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const says: Record<ModelErrorName, Parameters<typeof openAiError>[1] & { status: number }> = {
    unauthorized: { status: 401, code: 'invalid_api_key', message: 'Incorrect API key provided: sk-***.' },
    forbidden: { status: 403, code: 'model_not_found', message: `Project does not have access to model \`${model}\`` },
    rate_limited: {
      status: 429,
      type: 'tokens',
      code: 'rate_limit_exceeded',
      message: `Rate limit reached for ${model} on tokens per min (TPM).`,
    },
    quota: {
      status: 429,
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      message: 'You exceeded your current quota, please check your plan and billing details.',
    },
    bad_request: { status: 400, code: 'invalid_type', message: `Invalid type for '${param}'.`, param },
    too_large: { status: 413, message: 'Request body too large' },
    context_too_long: {
      status: 400,
      code: 'context_length_exceeded',
      param,
      message:
        param === 'input'
          ? 'Your input exceeds the context window of this model. Please adjust your input and try again.'
          : `This model's maximum context length is ${contextTokens} tokens. However, your messages resulted in ${promptTokens} tokens. Please reduce the length of the messages.`,
    },
    server_error: {
      status: 500,
      type: 'server_error',
      message: 'The server had an error while processing your request. Sorry about that!',
    },
    overloaded: {
      status: 503,
      type: 'server_error',
      message: 'The server is currently overloaded with other requests. Sorry about that!',
    },
  };
  const { status, ...own } = says[error];
  return openAiError(status, { ...own, message: message ?? own.message }, wait);
}

/** OpenAI and its likes list models in the same form. */
export function openAiModels(world: ModelWorld): object {
  const created = Math.floor(world.now() / 1000);
  const data = (world.models ?? []).map((id) => ({ id, object: 'model', created, owned_by: 'simulator' }));
  return { object: 'list', data };
}

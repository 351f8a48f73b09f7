import type { Reader } from './config.ts';
import { LIMITS } from './limits.ts';
import { isModelKey, MODEL_PROVIDERS, NEVER_REACHED, readModelBaseUrl } from './model-address.ts';
import { isNeverReached } from './network.ts';

/** What environment variables set for the models of workflows; null where they set nothing (contract 60.7). */
export interface ModelVariables {
  provider: (typeof MODEL_PROVIDERS)[number] | null;
  model: string | null;
  openAiBaseUrl: string | null;
  anthropicKey: string | null;
  openAiKey: string | null;
}

export function readModelVariables(reader: Reader): ModelVariables {
  return {
    provider: reader.choice('WORKFLOW_MODEL_PROVIDER', MODEL_PROVIDERS, null),
    model: modelName(reader),
    openAiBaseUrl: baseUrl(reader),
    anthropicKey: key(reader, 'ANTHROPIC_API_KEY'),
    openAiKey: key(reader, 'OPENAI_API_KEY'),
  };
}

function modelName({ get, refuse }: Reader): string | null {
  const name = get('WORKFLOW_MODEL')?.trim();
  if (name !== undefined && name.length > LIMITS.modelNameChars) {
    refuse(`WORKFLOW_MODEL must have at most ${LIMITS.modelNameChars} characters.`);
  }
  return name || null;
}

function baseUrl({ get, refuse }: Reader): string | null {
  const text = get('OPENAI_BASE_URL');
  if (text === undefined) return null;
  const read = readModelBaseUrl(text);
  if ('url' in read && !isNeverReached(new URL(read.url).hostname)) return read.url;
  refuse(`OPENAI_BASE_URL ${'problem' in read ? read.problem : NEVER_REACHED}.`);
  return null;
}

function key({ get, refuse }: Reader, name: 'ANTHROPIC_API_KEY' | 'OPENAI_API_KEY'): string | null {
  const value = get(name)?.trim();
  if (value !== undefined && !isModelKey(value) && value !== '') {
    refuse(`${name} must have at most ${LIMITS.modelKeyChars} characters of printable ASCII, without spaces.`);
  }
  return value || null;
}

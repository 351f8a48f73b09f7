import { LIMITS } from './limits.ts';

export const MODEL_PROVIDERS = ['anthropic', 'openai', 'openai_compatible'] as const;

/** Whether a text can be sent as the key of a model provider. */
export function isModelKey(text: string): boolean {
  return /^[!-~]+$/.test(text) && text.length <= LIMITS.modelKeyChars;
}

/** The address of a model server in canonical form, or what is wrong with it, to be said after its name. */
export function readModelBaseUrl(text: string): { url: string } | { problem: string } {
  const url = /^https?:\/\/[!-~]+$/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || text.length > LIMITS.urlChars) {
    return {
      problem: `must be an address that starts with https:// or http://, of at most ${LIMITS.urlChars} characters`,
    };
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) {
    return { problem: 'must not have a user name, password, query or fragment' };
  }
  return { url: url.href.replace(/\/+$/, '') };
}

/** What is wrong with an address that no request of ours may go to. */
export const NEVER_REACHED = 'must not lead to a link-local or cloud metadata address';

import { createHash } from 'node:crypto';

import { tokensOf, type Conversation } from './conversation.ts';
import type { Usage } from './reply.ts';

/** What providers keep of earlier prompts, so that the same beginning costs less. */
export interface PromptCache {
  /** How the tokens of a prompt are counted; the prompt is known from then on. */
  count(conversation: Conversation): Pick<Usage, 'input' | 'cacheRead' | 'cacheWrite'>;
  clear(): void;
}

/** No provider keeps less. */
const TOKENS_MIN = 1_024;
/** OpenAI counts what it had in steps. */
const STEP = 128;

export function createPromptCache(): PromptCache {
  const known = new Set<string>();
  return {
    count({ wire, model, parts }) {
      const hash = createHash('sha256').update(`${wire} ${model}`);
      let [all, marked, read] = [0, 0, 0];
      const wanted: string[] = [];
      for (const { text, isMarked } of parts) {
        hash.update(`\n${text}`);
        all += tokensOf(text);
        if (!isMarked || all < TOKENS_MIN) continue;
        marked = all;
        const key = hash.copy().digest('hex');
        if (known.has(key)) read = all;
        wanted.push(key);
      }
      for (const key of wanted) known.add(key);
      if (wire === 'anthropic') return { input: all - marked, cacheRead: read, cacheWrite: marked - read };
      const cacheRead = read - (read % STEP);
      return { input: all - cacheRead, cacheRead, cacheWrite: 0 };
    },
    clear: () => known.clear(),
  };
}

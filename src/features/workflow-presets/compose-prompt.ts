import { findBlock } from './blocks.ts';
import type { Preset } from './presets.ts';

/** What a prompt is composed from. Options that are missing have their default. */
export interface PromptParts {
  blocks: readonly string[];
  preset: Preset | null;
  options: Readonly<Record<string, string>>;
  extraInstructions: string | null;
}

/** Blocks in the order listed, then what was chosen, then what the household adds (contract 60.3). */
export function composePrompt({ blocks, preset, options, extraInstructions }: PromptParts): string {
  const parts = blocks.map((id) => {
    const block = findBlock(id);
    if (!block) throw new Error(`There is no block ${id}.`);
    return block.content;
  });
  for (const { key, label, default: usual, choices } of preset?.options ?? []) {
    const chosen = choices.find(({ value }) => value === (options[key] ?? usual));
    if (chosen && chosen.value !== usual) parts.push(`## ${label}`, chosen.directive);
  }
  if (extraInstructions !== null) parts.push('## Additional instructions', extraInstructions);
  return parts.join('\n\n');
}

import { quoted, validationError } from '../../kernel/errors.ts';
import { probablyMeant } from '../../kernel/nearest.ts';
import { tools } from '../agent-tools/index.ts';
import { BLOCKS } from '../workflow-presets/index.ts';

/** Tools are checked when they are named; one that a later program lacks is simply not offered. @throws VALIDATION_ERROR */
export function requireTools(names: readonly string[]): void {
  const known = tools.map(({ info }) => info.name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw validationError('allowed_tools', `allowed_tools: ${quoted(unknown)} is not a tool.${meant(unknown, known)}`);
}

const GROUP_LIMITS = { strategy: [1, 1], depth: [0, 1] } as const;

/** @throws VALIDATION_ERROR */
export function requireBlocks(ids: readonly string[]): void {
  const known = BLOCKS.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined) throw blocksError(`${quoted(unknown)} is not a block.${meant(unknown, known)}`);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw blocksError(`${quoted(repeated)} occurs twice.`);
  for (const [group, [min, max]] of Object.entries(GROUP_LIMITS)) {
    const count = ids.filter((id) => BLOCKS.some((block) => block.id === id && block.group === group)).length;
    if (count >= min && count <= max) continue;
    throw blocksError(`must have ${min === max ? 'exactly' : 'at most'} one ${group} block, not ${count}.`);
  }
}

function blocksError(message: string): Error {
  return validationError('prompt_blocks', `prompt_blocks: ${message}`);
}

function meant(name: string, known: readonly string[]): string {
  const close = probablyMeant(name, known);
  return close === undefined ? '' : ` Did you mean ${close}?`;
}

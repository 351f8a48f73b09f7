import { isStorableText, numberFault } from './json.ts';
import { RULE_LIMITS } from './rule-limits.ts';

/** Why JSON cannot be a metadata value, its size aside (contract 10.6.1); undefined when it can. */
export function metadataValueFault(value: unknown, depth = 0): string | undefined {
  // Every level takes two bytes, so that what is deeper is too large; it would exhaust the stack of a recursion.
  if (depth > RULE_LIMITS.metadataValueBytes / 2) {
    return `must have at most ${RULE_LIMITS.metadataValueBytes} bytes as compact JSON`;
  }
  if (typeof value === 'number') return numberFault(value);
  if (typeof value === 'string') return textFault(value);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const fault = textFault(key) ?? metadataValueFault(item, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function textFault(text: string): string | undefined {
  return isStorableText(text) ? undefined : 'must hold text without U+0000 and without half characters';
}

import { fold } from '../../kernel/fold.ts';
import type { StoredCondition, StoredLeaf, StoredNode } from './definition.ts';
import { isEmptyCondition } from './definition.ts';
import { getField, type IndexedText } from './fields.ts';
import type { Operator } from './language.ts';
import { valuesOf } from './operators.ts';
import { analysePattern } from './pattern-literals.ts';

/** A folded text that must occur in the fold of an indexed text, or equal it. */
interface Literal {
  readonly index: IndexedText;
  readonly text: string;
  readonly isWhole: boolean;
}

/**
 * Every matching row has at least one of these literals; null if the condition can match without any. This excludes
 * most rules for most rows, and must never exclude a rule that matches.
 */
export function requiredLiterals(condition: StoredCondition): readonly Literal[] | null {
  return isEmptyCondition(condition) ? null : ofNode(condition, true);
}

/** The required literals of a node, or of its negation if `wanted` is false. */
function ofNode(node: StoredNode, wanted: boolean): readonly Literal[] | null {
  if ('not' in node) return ofNode(node.not, !wanted);
  if ('and' in node) return wanted ? bestOf(node.and, wanted) : unionOf(node.and, wanted);
  if ('or' in node) return wanted ? unionOf(node.or, wanted) : bestOf(node.or, wanted);
  return ofLeaf(node, wanted);
}

/** All nodes must be true, so the literals of any one of them suffice. */
function bestOf(nodes: readonly StoredNode[], wanted: boolean): readonly Literal[] | null {
  let best: readonly Literal[] | null = null;
  for (const node of nodes) {
    const found = ofNode(node, wanted);
    if (found !== null && (best === null || weight(found) > weight(best))) best = found;
  }
  return best;
}

function unionOf(nodes: readonly StoredNode[], wanted: boolean): readonly Literal[] | null {
  const all: Literal[] = [];
  for (const node of nodes) {
    const found = ofNode(node, wanted);
    if (found === null) return null;
    all.push(...found);
  }
  return all;
}

const WHOLE_WEIGHT = 100;

/** Higher if its most frequent literal is likely to be rarer. */
function weight(literals: readonly Literal[]): number {
  return Math.min(...literals.map(({ text, isWhole }) => text.length + (isWhole ? WHOLE_WEIGHT : 0)));
}

const NEGATION: Partial<Record<Operator, Operator>> = { neq: 'eq', not_in: 'in', not_contains: 'contains' };

function ofLeaf(leaf: StoredLeaf, wanted: boolean): readonly Literal[] | null {
  const field = getField(leaf);
  if (field.kind !== 'text' || field.index === undefined) return null;
  const { index } = field;
  const op = wanted ? leaf.op : NEGATION[leaf.op];
  if (op === 'matches') {
    const literals = analysePattern(String(leaf.value))?.literals ?? null;
    return literals && literals.map((text) => ({ index, text, isWhole: false }));
  }
  if (op === undefined || !LITERAL_OPERATORS.includes(op)) return null;
  const texts = valuesOf(leaf).map((value) => fold(String(value)));
  if (texts.includes('')) return null;
  return texts.map((text) => ({ index, text, isWhole: op === 'eq' || op === 'in' }));
}

const LITERAL_OPERATORS: readonly Operator[] = ['eq', 'in', 'contains', 'starts_with', 'ends_with'];

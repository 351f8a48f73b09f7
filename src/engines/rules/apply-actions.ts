import { isEqualJson } from '../../kernel/json.ts';
import type { Effect, FacetEffect } from './actions.ts';
import type { CompiledRule } from './compile.ts';
import { mapBytes } from './json.ts';
import { RULE_LIMITS } from './rule-limits.ts';
import type { Subject } from './subject.ts';

export type SkipReason = 'locked' | 'archived' | 'limit';

export interface SkippedAction {
  /** Its index among the rule's actions. */
  readonly action: number;
  readonly reason: SkipReason;
}

/** The action that wrote a facet last. */
export interface WrittenFacet {
  readonly ruleId: string;
  readonly action: number;
  readonly effect: FacetEffect;
}

/** What happened to the actions of a rule. Comments are in neither list. */
interface AppliedActions {
  readonly written: readonly WrittenFacet[];
  readonly skipped: readonly SkippedAction[];
}

const NOTHING_SKIPPED: readonly SkippedAction[] = [];

/** Step 2.3 of contract 40.5: writes the facets of a matching rule into the subject. */
export function applyActions(
  { rule, effects, setsMetadata }: CompiledRule,
  subject: Subject,
  mayOverwrite: boolean,
): AppliedActions {
  const isTooMuch = setsMetadata && isBeyondLimit(effects, subject, mayOverwrite);
  const written: WrittenFacet[] = [];
  let skipped: SkippedAction[] | undefined;
  for (const [action, effect] of effects.entries()) {
    if (effect.kind === 'comment') continue;
    const reason = skipReason(effect, subject, mayOverwrite, isTooMuch);
    if (reason !== undefined) {
      (skipped ??= []).push({ action, reason });
      continue;
    }
    // A new value takes the facet over and removes its lock; writing the present value changes nothing.
    if (write(effect, subject) && subject.locks.has(effect.facet)) subject.locks = without(subject.locks, effect.facet);
    written.push({ ruleId: rule.id, action, effect });
  }
  return { written, skipped: skipped ?? NOTHING_SKIPPED };
}

function skipReason(
  effect: FacetEffect,
  subject: Subject,
  mayOverwrite: boolean,
  isTooMuch: boolean,
): SkipReason | undefined {
  if (!mayOverwrite && subject.locks.has(effect.facet)) return 'locked';
  if (effect.kind === 'category' && effect.isArchived) return 'archived';
  return isTooMuch && effect.kind === 'metadata' && effect.value !== undefined ? 'limit' : undefined;
}

/** Whether the metadata would be too large after all actions of the rule, in whatever order. */
function isBeyondLimit(effects: readonly Effect[], subject: Subject, mayOverwrite: boolean): boolean {
  const after = new Map(subject.metadata);
  for (const effect of effects) {
    if (effect.kind !== 'metadata' || (!mayOverwrite && subject.locks.has(effect.facet))) continue;
    if (effect.value === undefined) after.delete(effect.key);
    else after.set(effect.key, effect.value);
  }
  return mapBytes(after) > RULE_LIMITS.metadataBytes;
}

/** Answers whether the value of the facet changed. */
function write(effect: FacetEffect, subject: Subject): boolean {
  switch (effect.kind) {
    case 'category': {
      if (subject.categoryId === effect.id && subject.categorySource === 'rule') return false;
      subject.categoryId = effect.id;
      subject.categorySource = 'rule';
      return true;
    }
    case 'tag': {
      if (subject.tags.has(effect.slug) === effect.isAttached) return false;
      subject.tags = effect.isAttached ? new Set([...subject.tags, effect.slug]) : without(subject.tags, effect.slug);
      return true;
    }
    case 'series': {
      if (subject.seriesId === effect.id) return false;
      subject.seriesId = effect.id;
      return true;
    }
    case 'counterparty': {
      if (subject.counterpartyId === effect.id) return false;
      subject.counterpartyId = effect.id;
      return true;
    }
    case 'metadata':
      return writeMetadata(effect.key, effect.value, subject);
    case 'flag': {
      if (subject.flagged === effect.isFlagged) return false;
      subject.flagged = effect.isFlagged;
      return true;
    }
    default:
      return effect satisfies never;
  }
}

function writeMetadata(key: string, value: unknown, subject: Subject): boolean {
  if (isEqualJson(subject.metadata.get(key), value)) return false;
  const metadata = new Map(subject.metadata);
  if (value === undefined) metadata.delete(key);
  else metadata.set(key, value);
  subject.metadata = metadata;
  return true;
}

function without(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const rest = new Set(set);
  rest.delete(key);
  return rest;
}

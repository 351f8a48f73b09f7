import { useState, type ReactNode } from 'react';

import { LINK } from '../../lib/page-link.tsx';
import { Hidden } from '../button.tsx';
import { Money } from '../money.tsx';
import { useCategoryColor } from '../transaction/category-chip.tsx';
import type { RuleNames } from './rule-names.ts';
import { sentenceOf, type Sayable } from './rule-sentence.ts';
import { cut, type Part, type Parts } from './sentence-parts.ts';

interface RuleSentenceProps {
  rule: Sayable;
  names: RuleNames;
  /** Where it stands among others, it is cut, and opens. */
  isCut?: boolean;
}

const WHEN_CHARS = 160;
const WHAT_CHARS = 120;

/** "When the text contains *rewe* → Groceries, tag food": what a rule does, in one sentence. */
export function RuleSentence({ rule, names, isCut = false }: RuleSentenceProps) {
  const [isWhole, showAll] = useState(false);
  const { when, what } = sentenceOf(rule, names);
  const [shortWhen, shortWhat] = isCut && !isWhole ? [cut(when, WHEN_CHARS), cut(what, WHAT_CHARS)] : [];
  return (
    <>
      {arrow(shortWhen ?? when, shortWhat ?? what)}
      {(shortWhen ?? shortWhat) && (
        <>
          {' '}
          <button type="button" className={LINK} onClick={() => showAll(true)}>
            Show all of it
          </button>
        </>
      )}
    </>
  );
}

/** The whole sentence, for a heading or a dialog. */
export function ruleSentence(rule: Sayable, names: RuleNames): ReactNode {
  const { when, what } = sentenceOf(rule, names);
  return arrow(when, what);
}

function arrow(when: Parts, what: Parts): ReactNode {
  return (
    <>
      <Words parts={when} />{' '}
      <span aria-hidden className="text-muted">
        →
      </span>
      <Hidden>, then</Hidden> <Words parts={what} />
    </>
  );
}

/** Pieces of a sentence, each shown in its own way. */
export function Words({ parts }: { parts: Parts }) {
  // oxlint-disable-next-line react/no-array-index-key -- pieces of a text have no other name
  return parts.map((part, index) => <Word key={index} part={part} />);
}

function Word({ part }: { part: Part }) {
  if (typeof part === 'string') return part;
  if (part.kind === 'money') return <Money amount={part.amount} currency={part.currency} kind="balance" />;
  if (part.kind === 'category') return <CategoryWord id={part.id} name={part.text} />;
  if (part.kind === 'name') return <bdi className="font-medium">{part.text}</bdi>;
  return (
    <em>
      <bdi>{part.text}</bdi>
    </em>
  );
}

/** A category within a text: its colour beside its name, which breaks where the text does. */
function CategoryWord({ id, name }: { id: string; name: string }) {
  return (
    <span {...useCategoryColor(id)} className="font-medium">
      <span
        aria-hidden
        className="mr-1 inline-block size-2 rounded-full bg-of-category forced-colors:border forced-colors:border-[CanvasText]"
      />
      <bdi>{name}</bdi>
    </span>
  );
}

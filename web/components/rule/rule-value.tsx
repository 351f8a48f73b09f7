import { conditionInWords, readCondition } from './condition-words.ts';
import { sentenceOf } from './rule-sentence.ts';
import { TRIGGER_WORDS } from './rule-words.ts';
import { Words } from './sentence.tsx';
import { useRuleNames } from './use-rule-names.ts';

/** A part of a rule as the journal keeps it, in the words of its sentence. */
export default function RuleValue({ field, value }: { field: string; value: unknown }) {
  const names = useRuleNames();
  if (field === 'condition') return <Words parts={conditionInWords(readCondition(value), names)} />;
  if (!Array.isArray(value)) return null;
  if (field === 'actions') return <Words parts={sentenceOf({ condition: {}, actions: value }, names).what} />;
  const words: Readonly<Record<string, { short: string }>> = TRIGGER_WORDS;
  return <>{value.map((one) => words[String(one)]?.short ?? String(one)).join(' · ')}</>;
}

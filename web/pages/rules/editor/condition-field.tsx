import { useId, useRef, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';

import { RULE_LIMITS } from '../../../../src/engines/rules/rule-limits.ts';
import { Button } from '../../../components/button.tsx';
import { ConflictNote } from '../../../components/conflict.tsx';
import { formatMoney } from '../../../components/money.tsx';
import { Section } from '../../../components/page-header.tsx';
import { sentenceOf } from '../../../components/rule/rule-sentence.ts';
import { inText } from '../../../components/rule/sentence-parts.ts';
import { useRuleNames } from '../../../components/rule/use-rule-names.ts';
import { Segmented } from '../../../components/segmented.tsx';
import { counted } from '../../../lib/numbers.ts';
import { AddButtons, ConditionNode, Problems } from './condition-node.tsx';
import { countOf, depthOf, fromJson, type Problem } from './tree.ts';
import { useTree, type Editing } from './use-tree.ts';

/** What was typed as JSON and is no condition yet; nothing else knows of it. */
export interface BrokenJson {
  text: string;
  problems: readonly Problem[];
}

interface ConditionFieldProps {
  problems: readonly Problem[];
  broken: BrokenJson | null;
  onBroken: (broken: BrokenJson | null) => void;
}

/** When the rule applies: as rows and groups, or as the JSON of the API. */
export function ConditionField({ problems, broken, onBroken }: ConditionFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  const editing = useTree(problems, box);
  const [way, setWay] = useState<'rows' | 'json'>('rows');
  const id = useId();
  const names = useRuleNames();
  const say = (value: unknown): string =>
    inText(sentenceOf({ condition: value, actions: [] }, names).when, formatMoney);
  return (
    <div ref={box}>
      <Section
        title="When"
        actions={<Segmented label="How the conditions are written" options={WAYS} value={way} onChange={setWay} />}
      >
        {way === 'json' && (
          <JsonOfIt broken={broken} onBroken={onBroken} problems={broken?.problems ?? problems.filter(isOfCondition)} />
        )}
        {way === 'rows' &&
          (broken ? (
            <NotAsRows onBack={() => setWay('json')} onDrop={() => onBroken(null)} />
          ) : (
            <Rows editing={editing} />
          ))}
        <ConflictNote id={id} name="condition" say={say} />
      </Section>
    </div>
  );
}

const WAYS = [
  { value: 'rows', label: 'Rows' },
  { value: 'json', label: 'JSON' },
] as const;

export function isOfCondition({ path }: Problem): boolean {
  return path.startsWith('condition');
}

function NotAsRows({ onBack, onDrop }: { onBack: () => void; onDrop: () => void }) {
  return (
    <div className="rounded-control bg-sunken p-4">
      <p className="mb-3">What stands in the JSON is no condition yet, so there are no rows of it.</p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onBack}>Back to the JSON</Button>
        <Button look="quiet" onClick={onDrop}>
          Take back what was typed
        </Button>
      </div>
    </div>
  );
}

const FEW_NODES = 20;
const FEW_LEVELS = 4;

function Rows({ editing }: { editing: Editing }) {
  const { tree } = editing;
  const own = editing.problemsOf(tree?.id ?? '');
  const id = useId();
  const count = countOf(tree);
  const depth = depthOf(tree);
  if (tree === null) {
    return (
      <>
        <p className="text-muted">Every transaction matches. Add a condition to narrow it down.</p>
        <Problems id={id} messages={own} />
        <AddButtons editing={editing} />
      </>
    );
  }
  const isGroup = innerKind(tree) !== 'leaf';
  return (
    <>
      <ConditionNode node={tree} editing={editing} place={isGroup ? '' : '1'} />
      {(!isGroup || tree.kind === 'not') && <AddButtons editing={editing} />}
      {(count > FEW_NODES || depth > FEW_LEVELS) && (
        <p className="mt-2 text-sm text-muted tabular-nums">
          {counted(count, 'condition or group', 'conditions and groups')} of {RULE_LIMITS.nodes},{' '}
          {counted(depth, 'level')} of {RULE_LIMITS.depth}
        </p>
      )}
    </>
  );
}

function innerKind(node: NonNullable<Editing['tree']>): 'and' | 'or' | 'leaf' {
  return node.kind === 'not' ? innerKind(node.child) : node.kind;
}

const MOST_ROWS = 24;
const LEAST_ROWS = 8;

function JsonOfIt({ broken, onBroken, problems }: Omit<ConditionFieldProps, 'broken'> & { broken: BrokenJson | null }) {
  const { setValue } = useFormContext();
  const value: unknown = useWatch({ name: 'condition' });
  const pretty = JSON.stringify(value ?? {}, null, 2);
  const [typed, setTyped] = useState({ text: broken?.text ?? pretty, of: pretty });
  // Changed elsewhere, or taken back.
  if (typed.of !== pretty) setTyped({ text: pretty, of: pretty });
  const id = useId();
  const change = (text: string): void => {
    const read = readText(text);
    if (read.problems.length > 0) {
      setTyped({ text, of: pretty });
      return onBroken({ text, problems: read.problems });
    }
    setTyped({ text, of: JSON.stringify(read.json ?? {}, null, 2) });
    onBroken(null);
    setValue('condition', read.json ?? {}, { shouldDirty: true });
  };
  const lines = typed.text.split('\n').length;
  return (
    <>
      <textarea
        aria-label="Conditions as JSON"
        aria-describedby={`${id}-hint ${id}`}
        aria-invalid={problems.length > 0 || undefined}
        rows={Math.min(MOST_ROWS, Math.max(LEAST_ROWS, lines + 1))}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        className="field font-mono text-sm"
        value={typed.text}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Problems
        id={id}
        messages={problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))}
      />
      <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
        The condition as the API has it; {'{}'} is every transaction. The rows follow it, and it follows the rows.
      </p>
    </>
  );
}

function readText(text: string): { json: unknown; problems: readonly Problem[] } {
  if (text.trim() === '') return { json: {}, problems: [] };
  try {
    const json: unknown = JSON.parse(text);
    return { json, problems: fromJson(json).problems };
  } catch (error) {
    return { json: undefined, problems: [{ path: '', message: `This is no JSON yet: ${(error as Error).message}.` }] };
  }
}

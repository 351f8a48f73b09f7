import { useEffect, useRef, useState, type RefObject } from 'react';
import { useWatch } from 'react-hook-form';

import { createRule, getRule } from '../../../../src/features/rules/rules.contract.ts';
import { LIMITS } from '../../../../src/kernel/limits.ts';
import { ApiError } from '../../../api/client.ts';
import { useApiRecord } from '../../../api/queries.ts';
import { useReasonAgainst } from '../../../api/session.ts';
import { Button } from '../../../components/button.tsx';
import { Form, useOperationForm } from '../../../components/form.tsx';
import { openDialogs } from '../../../components/open-dialogs.ts';
import { Section } from '../../../components/page-header.tsx';
import { sentenceInText } from '../../../components/rule/rule-sentence.ts';
import { useRuleNames } from '../../../components/rule/use-rule-names.ts';
import { Loaded } from '../../../components/skeleton.tsx';
import { inFields, type ReadRecord } from '../../../components/stored-record.ts';
import { TextField } from '../../../components/text-fields.tsx';
import type { RuleStart } from '../../../lib/new-rule.ts';
import { capitalised } from '../../../components/changes/change-set-words.ts';
import { ActionField } from './action-field.tsx';
import { ApplyDialog } from './apply-dialog.tsx';
import { ConditionField, isOfCondition, type BrokenJson } from './condition-field.tsx';
import { MoreFields } from './more-fields.tsx';
import { PreviewPanel } from './preview.tsx';
import type { Problem } from './tree.ts';
import { useRulePreview } from './use-rule-preview.ts';
import { useSave, whyNotApplied, type HowToSave } from './use-save.ts';
import { gapsOf, startingWith, valuesOf, type StoredRule, type Values } from './values.ts';

interface RuleEditorProps {
  /** The rule that is changed; without it, a new one is made. */
  rule?: Pick<StoredRule, 'id'>;
  /** What a new rule begins with. */
  start?: RuleStart;
  /** It is saved, and applied where that was asked for. */
  onDone: (rule: StoredRule) => void;
  onCancel: () => void;
}

/** Everything about a rule, with what it would do now beside it. */
export default function RuleEditor({ rule, start = {}, ...rest }: RuleEditorProps) {
  return rule === undefined ? (
    <Editor {...rest} defaults={startingWith(start)} />
  ) : (
    <StoredEditor {...rest} id={rule.id} />
  );
}

type Ends = Pick<RuleEditorProps, 'onDone' | 'onCancel'>;

function StoredEditor({ id, ...rest }: Ends & { id: string }) {
  const record = useApiRecord(getRule, { params: { id } });
  return (
    <Loaded query={record} lines={10}>
      {(known) => <Editor {...rest} stored={{ known, reread: record.reread }} defaults={valuesOf(known.value)} />}
    </Loaded>
  );
}

interface EditorProps extends Ends {
  defaults: Values;
  stored?: ReadRecord<StoredRule>;
}

function Editor({ onCancel, ...props }: EditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const [broken, setBroken] = useState<BrokenJson | null>(null);
  const [isAsking, ask] = useState(false);
  const editor = useRuleForm(props, box, broken === null);
  const { form, values, preview, problems, check, submit, progress } = editor;
  const right = useReasonAgainst('full_access');
  const reason = right ?? (broken === null ? undefined : 'The JSON is no condition yet.');
  const undecided = Object.keys(form.conflicts).length > 0 ? 'Choose between the two values first.' : undefined;
  const whyNot = reason ?? undecided ?? whyNotApplied(values);
  const apply = (): void => {
    if (whyNot === undefined) void check().then((isFilled) => isFilled && ask(true));
  };
  useSaveKey(apply);
  return (
    <div ref={box} className="gap-x-8 xl:grid xl:grid-cols-[minmax(0,1fr)_23rem]">
      <Form
        form={{ ...form, submit: () => submit({ isApplied: false }) }}
        isWide
        submit="Save"
        look="secondary"
        disabledReason={reason}
        onCancel={onCancel}
        actions={
          <Button
            look="primary"
            className="order-first"
            aria-keyshortcuts="Control+Enter Meta+Enter"
            disabledReason={whyNot}
            onClick={apply}
          >
            Save and apply
            <kbd aria-hidden className="font-mono text-xs max-sm:hidden pointer-coarse:hidden">
              Ctrl ↵
            </kbd>
          </Button>
        }
      >
        <TextField name="name" label="Name" autoComplete="off" placeholder={editor.named} />
        <ConditionField problems={problems} broken={broken} onBroken={setBroken} />
        <Section title="Then">
          <ActionField problems={problems} isAwaited={editor.isActionAwaited} />
        </Section>
        <MoreFields />
      </Form>
      <div className="mt-8 xl:sticky xl:top-20 xl:mt-0 xl:max-h-[calc(100dvh-6rem)] xl:self-start xl:overflow-y-auto">
        <PreviewPanel values={values} preview={preview} stored={props.stored?.known.value} reason={reason} />
      </div>
      <ApplyDialog
        open={isAsking}
        values={values}
        progress={progress}
        onConfirm={(overwritesManual) => submit({ isApplied: true, overwritesManual })}
        onClose={() => ask(false)}
      />
    </div>
  );
}

/** What the server refused, of the rule as it was sent. */
interface Refused {
  rule: string;
  problems: readonly Problem[];
}

/** The rule as it is being written, what is wrong with it, and the ways to save it. */
function useRuleForm(
  { defaults, stored, onDone }: Omit<EditorProps, 'onCancel'>,
  box: RefObject<HTMLElement | null>,
  isReadable: boolean,
) {
  const how = useRef<HowToSave>({ isApplied: false });
  const [refused, setRefused] = useState<Refused>();
  const [isTried, setTried] = useState(false);
  const save = useSave(stored?.known.value.id);
  const form = useOperationForm(createRule, {
    defaults,
    record: stored && (inFields(stored, valuesOf) as never),
    guarded: 'address',
    send: async (sent, ifMatch) => {
      const rule = sent as unknown as Values;
      try {
        onDone(await save.run(rule, ifMatch, how.current));
      } catch (error) {
        setRefused({ rule: JSON.stringify(rule), problems: problemsIn(error) });
        throw error;
      }
    },
  });
  const values = useWatch({ control: form.control }) as Values;
  const right = useReasonAgainst('full_access');
  const preview = useRulePreview(values, right === undefined && isReadable);
  const gaps = gapsOf(values);
  const name = useNameOfRule(values);
  const named = gaps.length === 0 ? name : '';
  const ofServer = refused?.rule === JSON.stringify(values) ? refused.problems : preview.isOld ? [] : preview.problems;
  /** What is missing is said where it is missing, before anything is sent. */
  const check = async (): Promise<boolean> => {
    setTried(true);
    if (gaps.length > 0) {
      focusFirstProblem(box.current);
      return false;
    }
    // One that nobody has named is called after what it does.
    if (values.name.trim() === '') form.setValue('name', named, { shouldDirty: true });
    return form.trigger(undefined, { shouldFocus: true });
  };
  const submit = async (next: HowToSave): Promise<void> => {
    if (!(await check())) return;
    how.current = next;
    await form.submit();
  };
  const isActionAwaited = stored === undefined && defaults.name === '' && !gapsOf(defaults).some(isOfCondition);
  const problems = [...(isTried ? gaps : []), ...ofServer];
  return { form, values, preview, problems, named, check, submit, progress: save.progress, isActionAwaited };
}

/** From anywhere on the page. */
function useSaveKey(apply: () => void): void {
  const latest = useRef(apply);
  useEffect(() => {
    latest.current = apply;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || openDialogs.get().length > 0) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** "The text contains “rewe” → Groceries", as long as a name can be. */
function useNameOfRule(values: Values): string {
  const names = useRuleNames();
  const sentence = sentenceInText(values, names, (amount, currency) => [amount, currency].filter(Boolean).join(' '));
  const text = capitalised(sentence.replace(/^When /, ''));
  return [...text].slice(0, LIMITS.nameChars).join('');
}

function problemsIn(error: unknown): readonly Problem[] {
  return error instanceof ApiError ? (error.body.error.details ?? []) : [];
}

function focusFirstProblem(box: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const first = box?.querySelector<HTMLElement>('[aria-invalid="true"], [role="group"]:has(> [role="alert"] li)');
    const control = first?.matches('input, select, textarea') ? first : first?.querySelector<HTMLElement>('select');
    control?.focus();
  });
}

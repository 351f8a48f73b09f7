import { useWatch } from 'react-hook-form';
import type { ReactNode } from 'react';

import { listPresets, listPromptBlocks } from '../../../src/features/workflow-presets/workflow-presets.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Banner } from '../../components/banner.tsx';
import { CheckboxGroup, RadioGroup, Select } from '../../components/choice-fields.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inFields, type ReadRecord } from '../../components/stored-record.ts';
import { TextArea, TextField } from '../../components/text-fields.tsx';
import { ComposedPrompt, NextStarts } from './editor-preview.tsx';
import {
  EditorForm,
  FRESH,
  valuesOf,
  type Block,
  type EditorValues,
  type Preset,
  type Workflow,
} from './workflow-values.ts';

interface WorkflowEditorProps {
  /** What the fields begin with; a new workflow without one begins afresh. */
  start: Workflow | undefined;
  /** The workflow that is changed; without it, a new one is made. */
  stored?: ReadRecord<Workflow>;
  /** What the fields of a copy begin with instead. */
  rename?: (name: string) => string;
  submit: string;
  save: (values: EditorValues, ifMatch: string | undefined) => Promise<unknown>;
}

/** Everything that a person can decide about a workflow, but whether it is enabled. */
export function WorkflowEditor(props: WorkflowEditorProps) {
  const blocks = useApiQuery(listPromptBlocks, {});
  const presets = useApiQuery(listPresets, {});
  return (
    <Loaded query={blocks} lines={10}>
      {(known) => (
        <Loaded query={presets} lines={10}>
          {(all) => (
            <Editor {...props} blocks={known} preset={all.find(({ slug }) => slug === props.start?.source_template)} />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

function Editor({
  start,
  stored,
  rename,
  submit,
  save,
  blocks,
  preset,
}: WorkflowEditorProps & { blocks: readonly Block[]; preset: Preset | undefined }) {
  const right = useReasonAgainst('full_access');
  const from = start === undefined ? FRESH : valuesOf(start, blocks);
  const defaults = rename === undefined ? from : { ...from, name: rename(from.name), options: {} };
  const record = stored && inFields(stored, (workflow) => valuesOf(workflow, blocks));
  const form = useOperationForm({ body: EditorForm }, { defaults, record, send: save, guarded: true });
  return (
    <Form form={form} submit={submit} disabledReason={right} isWide>
      <Part title="Name" about="What your household calls it.">
        <TextField name="name" label="Name" />
      </Part>
      <PromptFields blocks={blocks} preset={rename === undefined ? preset : undefined} />
      <RightFields />
      <ModelFields />
      <TriggerFields />
      <CapFields />
    </Form>
  );
}

const SOURCES = [
  { value: 'blocks', label: 'Composed of blocks', hint: 'Texts that ship with Homeledger, and improve with it.' },
  { value: 'own', label: 'My own text', hint: 'Exactly what you write.' },
];

function PromptFields({ blocks, preset }: { blocks: readonly Block[]; preset: Preset | undefined }) {
  const source = useWatch({ name: 'source' }) as EditorValues['source'];
  const right = useReasonAgainst('full_access');
  return (
    <Part title="What it does" about="The task, in texts that come with Homeledger or in your own words.">
      <RadioGroup name="source" label="Prompt" options={SOURCES} />
      {source === 'own' ? (
        <TextArea name="prompt" label="Your text" rows={14} hint="What the agent is asked to do, in plain words." />
      ) : (
        <>
          <Select name="strategy" label="Task" options={optionsOf(blocks, 'strategy')} />
          <Select
            name="depth"
            label="How deep it goes"
            options={[{ value: '', label: 'As the task says' }, ...optionsOf(blocks, 'depth')]}
          />
          <CheckboxGroup name="knowledge" label="What it knows beforehand" options={optionsOf(blocks, 'knowledge')} />
          {preset?.options.map(({ key, label, help, choices }) => (
            <Select key={key} name={`options.${key}`} label={label} hint={help} options={choices} />
          ))}
          <TextArea
            name="extra_instructions"
            label="Additional instructions"
            optional
            hint="What else your household wants, in your own words."
          />
          {right === undefined && <ComposedPrompt preset={preset} />}
        </>
      )}
    </Part>
  );
}

function optionsOf(blocks: readonly Block[], group: Block['group']) {
  return blocks.filter((block) => block.group === group).map(({ id, title }) => ({ value: id, label: title }));
}

const SCOPES = [
  { value: 'read_only', label: 'Reads', hint: 'It changes nothing, and may submit reports.' },
  { value: 'propose', label: 'Proposes', hint: 'What it wants to change becomes a proposal, and you decide.' },
  { value: 'read_write', label: 'Reads and writes', hint: 'It changes your ledger itself. You can undo each change.' },
];

function RightFields() {
  const scope = useWatch({ name: 'tool_scope' }) as EditorValues['tool_scope'];
  return (
    <Part title="What it may do" about="The most it can do, whatever its task says.">
      <RadioGroup name="tool_scope" label="Scope" options={SCOPES} />
      {scope === 'read_write' && (
        <Banner tone="warning" title="Nobody looks at its changes first">
          It reads names and descriptions that strangers wrote, and can be misled by them. Choose this only for a task
          that you have watched as proposals.
        </Banner>
      )}
      <TextArea
        name="allowed_tools"
        label="Tools"
        optional
        rows={6}
        hint="Names of tools, one a line. Empty: every tool that the scope permits."
      />
    </Part>
  );
}

const TIERS = [
  { value: 'fast', label: 'Fast' },
  { value: 'balanced', label: 'Balanced' },
  { value: 'deep', label: 'Deep' },
];

function ModelFields() {
  return (
    <Part title="Which model" about="Larger models cost more and make fewer mistakes.">
      <Select name="model_tier" label="Tier" options={TIERS} hint="The model of each tier is set on the page Models." />
      <TextField
        name="model"
        label="Exact model"
        optional
        monospaced
        spellCheck={false}
        autoComplete="off"
        hint="The name of a model, instead of the one of the tier."
      />
    </Part>
  );
}

const TRIGGERS = [
  { value: 'manual', label: 'Only by hand' },
  { value: 'cron', label: 'On a schedule' },
  { value: 'after_sync', label: 'After a sync or import that changed something' },
];

function TriggerFields() {
  const trigger = useWatch({ name: 'trigger' }) as EditorValues['trigger'];
  return (
    <Part title="When it starts" about="By itself or by hand. Saving never switches it on.">
      <RadioGroup name="trigger" label="Start" options={TRIGGERS} />
      {trigger === 'cron' && (
        <>
          <TextField
            name="schedule_cron"
            label="Schedule"
            monospaced
            spellCheck={false}
            autoComplete="off"
            hint="Minute, hour, day, month and weekday, such as 0 7 * * MON."
          />
          <NextStarts />
        </>
      )}
      <div className="grid gap-x-6 sm:grid-cols-2">
        <TextField name="quiet_hours_start" label="Quiet from" type="time" optional />
        <TextField name="quiet_hours_end" label="Quiet until" type="time" optional />
      </div>
      <p className="mb-4 text-sm text-muted">It never starts by itself in quiet hours.</p>
    </Part>
  );
}

function CapFields() {
  return (
    <Part title="Where it stops" about="A run that reaches one of these ends there; what it has done so far stays.">
      <div className="grid gap-x-6 sm:grid-cols-2">
        <TextField name="max_budget_usd" label="Dollars per run" inputMode="decimal" hint="0: no limit of its own." />
        <TextField name="max_turns" label="Steps per run" inputMode="numeric" hint="0: no limit of its own." />
        <TextField name="max_tokens" label="Tokens per run" inputMode="numeric" hint="0: no limit of its own." />
        <TextField name="max_duration_seconds" label="Seconds per run" inputMode="numeric" hint="30 to 7,200." />
      </div>
    </Part>
  );
}

function Part({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <Section title={title} about={about}>
      <div className="max-w-xl">{children}</div>
    </Section>
  );
}

import { useNavigate } from '@tanstack/react-router';
import { CirclePower, Copy, Ellipsis, Pencil, Play, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { z } from 'zod';

import { getRule } from '../../../src/features/rules/rules.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ActionLink } from '../../components/action-link.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { DefinitionList, type Definition } from '../../components/definition-list.tsx';
import { Instant } from '../../components/instant.tsx';
import { Menu } from '../../components/menu.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { isExpired, isSeeded, TRIGGER_WORDS, type Rule } from '../../components/rule/rule-words.ts';
import { RunPanel } from '../../components/rule/run-panel.tsx';
import { RuleSentence } from '../../components/rule/sentence.tsx';
import { useRuleNames } from '../../components/rule/use-rule-names.ts';
import { Loaded, Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { nowMs } from '../../lib/clock.ts';
import { inDigits } from '../../lib/numbers.ts';
import { newRuleSearch, type RuleStart } from '../../lib/new-rule.ts';
import { usePageParams, usePageSearch } from '../../lib/page-link.tsx';
import { DeleteRule } from './delete-rule.tsx';
import { RuleConflicts } from './rule-conflicts.tsx';
import { RuleHistory } from './rule-history.tsx';
import { RuleRuns } from './rule-runs.tsx';
import { useRuleSwitch } from './use-rule-switch.ts';

const ApplyRules = lazy(() => import('../../components/rule/apply-rules.tsx'));
const RuleEditor = lazy(() => import('./editor/rule-editor.tsx'));

const Search = z.object({ edit: z.string() });

/** One rule: what it does, how it is set, and what it has done. */
export default function RulePage() {
  const { id = '' } = usePageParams();
  const rule = useApiQuery(getRule, { params: { id } });
  return (
    <>
      <BackLink to="/rules">Rules</BackLink>
      {rule.data === undefined && <PageHeader title="Rule" />}
      <Loaded query={rule} lines={8}>
        {(found) => <RuleView key={found.id} rule={found} />}
      </Loaded>
    </>
  );
}

function RuleView({ rule }: { rule: Rule }) {
  const names = useRuleNames();
  const right = useReasonAgainst('full_access');
  const isEdited = usePageSearch(Search).edit !== undefined && right === undefined;
  const { short_id: id, name } = rule;
  const navigate = useNavigate();
  const show = (isSaved: boolean): void =>
    void navigate({ to: '/rules/$id', params: { id }, ignoreBlocker: isSaved } as never);
  if (isEdited) {
    return (
      <>
        <PageHeader title={name} />
        <Suspense fallback={<Skeleton lines={8} />}>
          <RuleEditor rule={rule} onDone={() => show(true)} onCancel={() => show(false)} />
        </Suspense>
      </>
    );
  }
  return (
    <>
      <PageHeader title={name} actions={<Actions rule={rule} />} />
      <p className="-mt-3 mb-6 max-w-prose text-lg wrap-anywhere">
        <RuleSentence rule={rule} names={names} isCut />
      </p>
      <RunPanel ruleId={rule.id} />
      <Section title="How it is set">
        <DefinitionList items={settingsOf(rule)} />
      </Section>
      <RuleRuns ruleId={rule.id} />
      <RuleConflicts ruleId={rule.id} />
      <RuleHistory ruleId={rule.id} />
    </>
  );
}

function Actions({ rule }: { rule: Rule }) {
  const right = useReasonAgainst('full_access');
  const flip = useRuleSwitch();
  const [asked, ask] = useState<'apply' | 'delete' | null>(null);
  const close = (): void => ask(null);
  const { id, short_id: shortId, name, enabled } = rule;
  const navigate = useNavigate();
  const duplicate = (): void => void navigate({ to: '/rules/new', search: newRuleSearch(startLike(rule)) } as never);
  return (
    <>
      <ActionLink
        to="/rules/{id}"
        params={{ id: shortId }}
        search={{ edit: '1' }}
        icon={Pencil}
        look="primary"
        disabledReason={right}
      >
        Edit
      </ActionLink>
      <Button icon={Play} disabledReason={right ?? reasonAgainstApplying(rule)} onClick={() => ask('apply')}>
        Apply
      </Button>
      <Button icon={CirclePower} disabledReason={right} onClick={() => flip(rule, !enabled)}>
        {enabled ? 'Switch off' : 'Switch on'}
      </Button>
      <Menu
        trigger={<IconButton icon={Ellipsis} label="More actions" />}
        items={[
          { label: 'Duplicate', icon: Copy, disabledReason: right, onSelect: duplicate },
          {
            label: 'Delete',
            icon: Trash2,
            destructive: true,
            disabledReason: right ?? (isSeeded(rule) && !enabled ? 'It came with Homeledger, and is off.' : undefined),
            onSelect: () => ask('delete'),
          },
        ]}
      />
      {asked === 'delete' && <DeleteRule rule={rule} onSwitchOff={() => flip(rule, false)} onClose={close} />}
      <Suspense>{asked === 'apply' && <ApplyRules rule={{ id, name }} onClose={close} />}</Suspense>
    </>
  );
}

const LONGEST_NAME = 200;

/** A new rule that begins like this one; its end may be past. */
function startLike({ name, condition, actions, triggers, priority, overwrite_manual, stop }: Rule): RuleStart {
  const copy = ' (copy)';
  return {
    name: `${[...name].slice(0, LONGEST_NAME - copy.length).join('')}${copy}`,
    condition,
    actions,
    triggers,
    priority,
    overwrite_manual,
    stop,
  };
}

/** Where the server would refuse it (40.8.4). */
function reasonAgainstApplying(rule: Rule): string | undefined {
  if (!rule.enabled) return 'It is switched off.';
  if (isExpired(rule, nowMs())) return 'It has expired.';
  return rule.triggers.includes('manual') ? undefined : 'It is set not to be applied alone.';
}

function settingsOf(rule: Rule): Definition[] {
  const { expires_at: end, hit_count: hits } = rule;
  return [
    { term: 'State', value: <State rule={rule} /> },
    { term: 'Priority', value: inDigits(rule.priority), note: 'From 0 to 1,000. What runs later wins.' },
    { term: 'Runs', value: <Occasions of={rule.triggers} /> },
    { term: 'Where it matches', value: rule.stop ? 'Later rules are left out' : 'Later rules run, too' },
    {
      term: 'What people and agents chose',
      value: rule.overwrite_manual ? 'It overwrites that' : 'It leaves that as it is',
    },
    { term: 'Ends', value: end === null ? 'Never' : <Instant isPlanned at={end} /> },
    {
      term: 'Matched',
      value: hits === 0 ? 'Never' : inDigits(hits),
      ...(hits === 0 ? {} : { note: <>Last: {<Instant at={rule.last_hit_at} />}</> }),
    },
    { term: 'Made by', value: <bdi>{rule.creator_name}</bdi>, note: <Instant at={rule.created_at} /> },
  ];
}

function Occasions({ of }: { of: Rule['triggers'] }) {
  return (
    <ul>
      {of.map((one) => (
        <li key={one}>{TRIGGER_WORDS[one].long}</li>
      ))}
    </ul>
  );
}

function State({ rule }: { rule: Rule }) {
  if (!rule.enabled) return <Status>Off</Status>;
  return isExpired(rule, nowMs()) ? <Status tone="warning">Expired</Status> : <Status tone="success">On</Status>;
}

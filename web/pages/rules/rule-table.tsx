import { useMemo, type ReactNode } from 'react';

import { useReasonAgainst } from '../../api/session.ts';
import { RowSwitch } from '../../components/choice-fields.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Instant } from '../../components/instant.tsx';
import type { RuleNames } from '../../components/rule/rule-names.ts';
import { isExpired, TRIGGER_WORDS, type Rule } from '../../components/rule/rule-words.ts';
import { RuleSentence } from '../../components/rule/sentence.tsx';
import { useRuleNames } from '../../components/rule/use-rule-names.ts';
import { Status } from '../../components/status.tsx';
import { nowMs } from '../../lib/clock.ts';
import { inDigits } from '../../lib/numbers.ts';
import { PageLink } from '../../lib/page-link.tsx';
import { useRuleSwitch } from './use-rule-switch.ts';

interface RuleTableProps {
  rules: readonly Rule[];
  empty: ReactNode;
}

/** Rules in the order in which they run: what each does, how often it matched, and whether it is on. */
export function RuleTable({ rules, empty }: RuleTableProps) {
  const names = useRuleNames();
  const flip = useRuleSwitch();
  const right = useReasonAgainst('full_access');
  const columns = useMemo(() => columnsFor(names, right, flip), [names, right, flip]);
  return (
    <DataTable
      caption="Rules, in the order in which they run"
      rows={rules}
      keyOf={({ id }) => id}
      columns={columns}
      empty={empty}
    />
  );
}

function columnsFor(
  names: RuleNames,
  right: string | undefined,
  flip: ReturnType<typeof useRuleSwitch>,
): Column<Rule>[] {
  return [
    { title: 'Rule', isRowHeader: true, cell: (rule) => <What rule={rule} names={names} /> },
    { title: 'Priority', align: 'end', cell: ({ priority }) => inDigits(priority) },
    {
      title: 'Runs on',
      cell: ({ triggers }) => (
        <span className="text-sm text-muted">{triggers.map((one) => TRIGGER_WORDS[one].short).join(' · ')}</span>
      ),
    },
    { title: 'Matched', align: 'end', cell: (rule) => <Matched rule={rule} /> },
    { title: 'Made by', cell: ({ creator_name: name }) => <bdi className="text-sm text-muted">{name}</bdi> },
    {
      title: 'On',
      align: 'end',
      cell: (rule) => (
        <RowSwitch
          label={`“${rule.name}” is on`}
          checked={rule.enabled}
          disabledReason={right}
          onChange={(enabled) => flip(rule, enabled)}
        />
      ),
    },
  ];
}

function What({ rule, names }: { rule: Rule; names: RuleNames }) {
  const { short_id: id, name } = rule;
  return (
    <>
      <PageLink
        to="/rules/{id}"
        params={{ id }}
        className="inline-flex items-center hover:underline pointer-coarse:min-h-11"
      >
        <bdi>{name}</bdi>
      </PageLink>
      <span className={`block font-normal ${rule.enabled ? '' : 'text-muted'}`}>
        <RuleSentence rule={rule} names={names} isCut />
      </span>
      <Notes rule={rule} />
    </>
  );
}

/** What is out of the ordinary about a rule. */
function Notes({ rule }: { rule: Rule }) {
  const notes = [
    rule.stop && 'Later rules are left out where it matches.',
    rule.overwrite_manual && 'It also overwrites what people chose.',
  ].filter((note) => note !== false);
  return (
    <>
      {notes.length > 0 && <span className="block text-sm font-normal text-muted">{notes.join(' ')}</span>}
      {isExpired(rule, nowMs()) && (
        <span className="mt-1 block">
          <Status>Expired</Status>
        </span>
      )}
    </>
  );
}

function Matched({ rule: { hit_count: count, last_hit_at: at } }: { rule: Rule }) {
  if (count === 0) return <Status>Never</Status>;
  return (
    <>
      {inDigits(count)}
      <span className="block text-sm whitespace-nowrap text-muted">
        <Instant at={at} />
      </span>
    </>
  );
}

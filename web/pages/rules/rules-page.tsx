import { ListChecks, Play, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import { listRules } from '../../../src/features/rules/rules.contract.ts';
import { usePages } from '../../api/pages.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ActionLink } from '../../components/action-link.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { useFilters } from '../../components/filters.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { RunPanel } from '../../components/rule/run-panel.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inAsked, RuleFilters, Search, type Asked } from './rule-filters.tsx';
import { RuleTable } from './rule-table.tsx';
import { SuggestedRules } from './suggested-rules.tsx';

const ApplyRules = lazy(() => import('../../components/rule/apply-rules.tsx'));

const PER_PAGE = '50';

/** Every rule in the order in which they run, as sentences. */
export default function RulesPage() {
  const { values, change, clear, isFiltered } = useFilters('/rules', Search);
  const right = useReasonAgainst('full_access');
  const add = (
    <ActionLink to="/rules/new" icon={Plus} look="primary" disabledReason={right}>
      New rule
    </ActionLink>
  );
  return (
    <>
      <PageHeader
        title="Rules"
        lead="What happens automatically to the transactions that a bank or a file brings. Rules run in this order, and a later one wins."
        actions={
          <>
            <ApplyAll />
            {add}
          </>
        }
      />
      <RunPanel />
      <SuggestedRules />
      <RuleFilters values={values} onChange={change} onClear={isFiltered ? clear : undefined} />
      <Rules key={JSON.stringify(values)} asked={inAsked(values)} onClear={isFiltered ? clear : undefined} add={add} />
    </>
  );
}

function ApplyAll() {
  const right = useReasonAgainst('full_access');
  const [isAsked, ask] = useState(false);
  return (
    <>
      <Button icon={Play} disabledReason={right} onClick={() => ask(true)}>
        Apply all
      </Button>
      <Suspense>{isAsked && <ApplyRules onClose={() => ask(false)} />}</Suspense>
    </>
  );
}

interface RulesProps {
  asked: Asked;
  onClear: (() => void) | undefined;
  add: React.ReactNode;
}

function Rules({ asked, onClear, add }: RulesProps) {
  const { query: rules, pagerOf } = usePages(listRules, { query: { ...asked, limit: PER_PAGE } });
  return (
    <Loaded query={rules} lines={10}>
      {(page) => (
        <>
          <RuleTable
            rules={page.rules}
            empty={
              onClear ? (
                <EmptyState
                  icon={ListChecks}
                  title="No rule matches the filters"
                  action={<Button onClick={onClear}>Clear filters</Button>}
                >
                  Clear them to see the others.
                </EmptyState>
              ) : (
                <EmptyState icon={ListChecks} title="No rules yet" action={add}>
                  A rule says: when a transaction looks like this, do that. It files what comes again by itself.
                </EmptyState>
              )
            }
          />
          <Pager label="rules" {...pagerOf(page)} />
        </>
      )}
    </Loaded>
  );
}

import { ListTree } from 'lucide-react';
import { z } from 'zod';

import { listAgentCalls } from '../../../src/features/agent-calls/agent-calls.contract.ts';
import { listApiKeys } from '../../../src/features/api-keys/api-keys.contract.ts';
import { usePages } from '../../api/pages.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ActionLink } from '../../components/action-link.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSelect, useFilters } from '../../components/filters.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { CallTable } from './call-table.tsx';

const PER_PAGE = 50;
const REFRESH_MS = 10_000;
const Search = z.object({
  tool: z.string(),
  outcome: z.enum(['ok', 'error']),
  effect: z.enum(['read', 'write']),
  transport: z.enum(['http', 'stdio']),
  api_key_id: z.string(),
});
type Chosen = ReturnType<typeof useFilters<typeof Search>>['values'];

/** Every call of an agent, allowed or refused. */
export default function AgentCallsPage() {
  const { values, change, clear, isFiltered } = useFilters('/agent-calls', Search);
  return (
    <>
      <PageHeader
        title="Agent calls"
        lead="Everything that agents asked for, allowed or refused. Their answers are not kept."
      />
      <Filters values={values} onChange={change} onClear={isFiltered ? clear : undefined} />
      <Calls
        key={JSON.stringify(values)}
        filters={values}
        isFiltered={isFiltered}
        onTool={(tool) => change({ tool })}
      />
    </>
  );
}

interface FiltersProps {
  values: Chosen;
  onChange: (next: Chosen) => void;
  onClear: (() => void) | undefined;
}

function Filters({ values, onChange, onClear }: FiltersProps) {
  return (
    <FilterBar onClear={onClear}>
      <FilterSelect
        label="Result"
        all="All"
        value={values.outcome}
        options={[
          { value: 'ok', label: 'Done' },
          { value: 'error', label: 'Refused or failed' },
        ]}
        onChange={(value) => onChange({ outcome: value })}
      />
      <FilterSelect
        label="Kind"
        all="All"
        value={values.effect}
        options={[
          { value: 'read', label: 'Reading' },
          { value: 'write', label: 'Writing' },
        ]}
        onChange={(value) => onChange({ effect: value })}
      />
      <FilterSelect
        label="Through"
        all="All"
        value={values.transport}
        options={[
          { value: 'http', label: 'HTTP' },
          { value: 'stdio', label: 'A program on this machine' },
        ]}
        onChange={(value) => onChange({ transport: value })}
      />
      <KeyFilter value={values.api_key_id} onChange={(id) => onChange({ api_key_id: id })} />
      {values.tool !== undefined && (
        <FilterSelect
          label="Tool"
          all="All"
          value={values.tool}
          options={[{ value: values.tool, label: values.tool }]}
          onChange={(tool) => onChange({ tool })}
        />
      )}
    </FilterBar>
  );
}

/** Keys are listed for admins only. */
function KeyFilter({ value, onChange }: { value: string | undefined; onChange: (id: string | undefined) => void }) {
  const mayList = useReasonAgainst('admin') === undefined;
  const keys = useApiQuery(listApiKeys, {}, { enabled: mayList });
  if (!mayList) return null;
  const options = (keys.data ?? []).map((key) => ({ value: key.short_id, label: key.name }));
  return <FilterSelect label="Key" all="All keys" value={value} options={options} onChange={onChange} />;
}

interface CallsProps {
  filters: Chosen;
  isFiltered: boolean;
  onTool: (tool: string) => void;
}

function Calls({ filters, isFiltered, onTool }: CallsProps) {
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  const { query: calls, pagerOf } = usePages(
    listAgentCalls,
    { query: { ...set, limit: String(PER_PAGE) } },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Section title="Calls">
      <Loaded query={calls} lines={8}>
        {(found) => (
          <>
            <CallTable list={found.mcp_calls} onTool={onTool} empty={<NoCalls isFiltered={isFiltered} />} />
            <Pager label="calls" {...pagerOf(found)} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={ListTree}
      title={isFiltered ? 'No call matches the filters' : 'No calls yet'}
      action={!isFiltered && <ConnectAgent />}
    >
      {isFiltered ? 'Clear the filters to see the others.' : 'They appear here once an agent is connected.'}
    </EmptyState>
  );
}

function ConnectAgent() {
  return (
    <ActionLink to="/settings/agents" disabledReason={useReasonAgainst('admin')}>
      Connect an agent
    </ActionLink>
  );
}

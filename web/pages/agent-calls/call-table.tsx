import { useState, type ReactNode } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import type { listAgentCalls } from '../../../src/features/agent-calls/agent-calls.contract.ts';
import { Button } from '../../components/button.tsx';
import { SetLink } from '../../components/changes/set-link.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { DefinitionList, type Definition } from '../../components/definition-list.tsx';
import { Drawer } from '../../components/dialog.tsx';
import { Instant } from '../../components/instant.tsx';
import { Status } from '../../components/status.tsx';
import { counted, durationInWords } from '../../lib/numbers.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { toolTitle } from '../../lib/tool-title.ts';

type Call = OutputOf<typeof listAgentCalls>['mcp_calls'][number];

interface CallTableProps {
  list: readonly Call[];
  /** Shows only calls of this tool. */
  onTool: (tool: string) => void;
  empty: ReactNode;
}

export function CallTable({ list, onTool, empty }: CallTableProps) {
  const [shown, show] = useState<Call | null>(null);
  const columns: Column<Call>[] = [
    {
      title: 'What was asked',
      isRowHeader: true,
      cell: (one) => (
        <button
          type="button"
          className={`${LINK} text-left wrap-anywhere pointer-coarse:min-h-11 pointer-coarse:min-w-11`}
          onClick={() => show(one)}
        >
          {toolTitle(one.tool)}
        </button>
      ),
    },
    { title: 'Who', cell: (one) => <Who call={one} /> },
    { title: 'Result', cell: (one) => <Result call={one} /> },
    { title: 'Reason', cell: (one) => one.reason && <bdi className="wrap-anywhere">{one.reason}</bdi> },
    { title: 'Took', align: 'end', cell: (one) => durationInWords(one.duration_ms) },
    { title: 'When', cell: (one) => <Instant at={one.created_at} /> },
  ];
  return (
    <>
      <DataTable
        caption="Calls of agents, newest first"
        columns={columns}
        rows={list}
        keyOf={(one) => one.id}
        empty={empty}
      />
      <Drawer open={shown !== null} title="Call of an agent" onClose={() => show(null)}>
        {shown && (
          <CallFacts
            call={shown}
            onTool={() => {
              show(null);
              onTool(shown.tool);
            }}
          />
        )}
      </Drawer>
    </>
  );
}

/** Names of clients are their own words. */
function Who({ call }: { call: Call }) {
  return (
    <>
      <bdi className="wrap-anywhere">{call.principal.name}</bdi>
      {call.client_name !== null && (
        <span className="block text-sm text-muted wrap-anywhere">
          <bdi>{[call.client_name, call.client_version].filter((part) => part !== null).join(' ')}</bdi>
        </span>
      )}
    </>
  );
}

/** Answers to a call that its key, or the mode of agents, does not allow. */
const REFUSALS: ReadonlySet<string | null> = new Set(['FORBIDDEN']);

function Result({ call }: { call: Call }) {
  if (call.outcome === 'error')
    return <Status tone="danger">{REFUSALS.has(call.error_code) ? 'Refused' : 'Failed'}</Status>;
  if (call.proposal_id !== null) return <Status tone="info">Proposed</Status>;
  if (call.change_set_id !== null) return <Status tone="success">Changed</Status>;
  return <Status tone="neutral">{call.effect === 'read' ? 'Read' : 'Nothing changed'}</Status>;
}

function CallFacts({ call, onTool }: { call: Call; onTool: () => void }) {
  return (
    <>
      <DefinitionList items={factsOf(call)} />
      <h3 className="mt-6 mb-2 font-semibold">Arguments</h3>
      <pre className="rounded-control border border-line bg-sunken p-3 text-sm wrap-anywhere whitespace-pre-wrap">
        {JSON.stringify(call.arguments, null, 2)}
      </pre>
      <div className="mt-6">
        <Button onClick={onTool}>Only calls of this tool</Button>
      </div>
    </>
  );
}

const THROUGH = { http: 'HTTP', stdio: 'A program on this machine' } as const;

function factsOf(call: Call): Definition[] {
  return [
    { term: 'Tool', value: <code className="font-mono wrap-anywhere">{call.tool}</code> },
    {
      term: 'Result',
      value: <Result call={call} />,
      ...(call.error_code === null ? {} : { note: <code className="font-mono">{call.error_code}</code> }),
    },
    { term: 'Who', value: <Who call={call} /> },
    { term: 'Through', value: call.transport === null ? 'A run of a workflow' : THROUGH[call.transport] },
    { term: 'Reason', value: <bdi>{call.reason ?? 'None was given.'}</bdi> },
    { term: 'When', value: <Instant at={call.created_at} /> },
    { term: 'Took', value: durationInWords(call.duration_ms) },
    { term: 'Answer', value: counted(call.result_bytes, 'byte') },
    ...(call.change_set_id === null
      ? []
      : [{ term: 'What it changed', value: <SetLink id={call.change_set_id} withState /> }]),
    ...(call.proposal_id === null ? [] : [{ term: 'Proposal', value: <ProposalLink id={call.proposal_id} /> }]),
  ];
}

function ProposalLink({ id }: { id: string }) {
  return (
    <PageLink to="/proposals/{id}" params={{ id }} className={LINK}>
      Open the proposal
    </PageLink>
  );
}

import type { KeyScope } from '../../kernel/scopes.ts';
import { tools } from './all-tools.ts';
import type { Tool } from './tool.ts';
import { isOffered } from './tool-rights.ts';

type ToolScope = 'read_only' | 'propose' | 'read_write';

const REPORT = 'submit_report';
/** A run starts no other. */
const STARTS_RUNS = 'run_workflow';
/** A run that a sync started would start itself again. */
const STARTS_SYNCS = 'trigger_sync';

/** Names of the tools that a run is offered (contract 60.6). `allowed`: those of the workflow; none means all. */
export function toolsOf(scope: ToolScope, allowed: readonly string[], run: { isAfterSync: boolean }): string[] {
  const never: readonly string[] = run.isAfterSync ? [STARTS_RUNS, STARTS_SYNCS] : [STARTS_RUNS];
  return tools
    .filter((tool) => isInScope(tool, scope))
    .map(({ info }) => info.name)
    .filter((name) => !never.includes(name) && (allowed.length === 0 || allowed.includes(name)));
}

/** What a run may do with a tool. It may always report. */
export function rightInRun(scope: ToolScope, tool: string): KeyScope {
  if (scope === 'read_write') return 'full_access';
  return scope === 'propose' || tool === REPORT ? 'propose' : 'read_only';
}

function isInScope(tool: Tool, scope: ToolScope): boolean {
  const { name, effect } = tool.info;
  const isReading = effect === 'read' || name === REPORT;
  return isOffered(tool, rightInRun(scope, name)) && (scope !== 'read_only' || isReading);
}

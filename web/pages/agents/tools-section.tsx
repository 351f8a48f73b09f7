import { getAgentSettings, updateAgentSettings } from '../../../src/features/agent-calls/agent-calls.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Switch } from '../../components/choice-fields.tsx';
import { showToast } from '../../components/toast-store.ts';
import type { AgentCatalog, AgentSettings } from './agents-page.tsx';

interface ToolsSectionProps {
  settings: AgentSettings;
  catalog: AgentCatalog;
}

type Tool = AgentCatalog['tools'][number];

/** Every tool, on or off at once. */
export function ToolsSection({ settings, catalog }: ToolsSectionProps) {
  const update = useApiWrite(updateAgentSettings, { refreshes: [getAgentSettings] });
  // The list is written whole: what was chosen a moment ago, and is still on its way, is part of the next one.
  const chosen = (update.isPending ? update.variables.body?.disabled_tools : undefined) ?? settings.disabled_tools;
  const disabled = new Set(chosen);
  const known = new Set(catalog.tools.map(({ name }) => name));

  /** A tool that an update took away leaves the list with the next change. */
  function turn({ name, title }: Tool, isOn: boolean): void {
    const others = chosen.filter((one) => one !== name && known.has(one));
    update.mutate(
      { body: { disabled_tools: isOn ? others : [...others, name] } },
      { onSuccess: () => showToast(`“${title}” is ${isOn ? 'on' : 'off'}.`) },
    );
  }

  return (
    <>
      {update.isError && <ErrorBanner error={update.error} />}
      {(['read', 'write'] as const).map((effect) => (
        <details key={effect} className="border-b border-line py-1 last:border-b-0">
          <summary className="target content-center font-medium wrap-anywhere">
            {effect === 'read' ? 'Tools that read' : 'Tools that change something'} (
            {countOf(catalog, effect, disabled)})
          </summary>
          <ul className="divide-y divide-line">
            {catalog.tools
              .filter((tool) => tool.effect === effect)
              .map((tool) => (
                <li key={tool.name} className="py-3">
                  <Switch
                    label={tool.title}
                    hint={<ToolHint tool={tool} />}
                    checked={!disabled.has(tool.name)}
                    disabledReason={undefined}
                    onChange={(isOn) => turn(tool, isOn)}
                  />
                </li>
              ))}
          </ul>
        </details>
      ))}
    </>
  );
}

function countOf({ tools }: AgentCatalog, effect: Tool['effect'], disabled: ReadonlySet<string>): string {
  const all = tools.filter((tool) => tool.effect === effect);
  const on = all.filter(({ name }) => !disabled.has(name)).length;
  return on === all.length ? `all ${all.length} on` : `${on} of ${all.length} on`;
}

function ToolHint({ tool }: { tool: Tool }) {
  const isRefused = tool.effect === 'write' && !tool.proposable;
  return (
    <>
      <code className="font-mono">{tool.name}</code>
      <span className="block wrap-anywhere">{tool.description}</span>
      {isRefused && <span className="block">It cannot be proposed: in the mode “Propose” it is refused.</span>}
    </>
  );
}

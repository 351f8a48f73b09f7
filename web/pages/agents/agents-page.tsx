import type { OutputOf } from '../../../src/contract/operation.ts';
import { getAgentCatalog, getAgentSettings } from '../../../src/features/agent-calls/agent-calls.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { AnswersSection } from './answers-section.tsx';
import { ConnectSection } from './connect-section.tsx';
import { ModeSection } from './mode-section.tsx';
import { TextsSection } from './texts-section.tsx';
import { ToolsSection } from './tools-section.tsx';

export type AgentSettings = OutputOf<typeof getAgentSettings>;
export type AgentCatalog = OutputOf<typeof getAgentCatalog>;

/** What agents may do here, and what they are told. */
export default function AgentsPage() {
  const settings = useApiQuery(getAgentSettings, {});
  const catalog = useApiQuery(getAgentCatalog, {});
  return (
    <>
      <PageHeader
        title="Agents"
        lead="AI programs that read your ledger and help you keep it, over the Model Context Protocol (MCP)."
      />
      <ConnectSection />
      <Loaded query={settings} lines={6}>
        {(stored) => (
          <>
            <ModeSection settings={stored} />
            <Loaded query={catalog} lines={8}>
              {(known) => (
                <>
                  <Section title="Tools">
                    <ToolsSection settings={stored} catalog={known} />
                  </Section>
                  <TextsSection settings={stored} catalog={known} />
                </>
              )}
            </Loaded>
            <AnswersSection settings={stored} />
          </>
        )}
      </Loaded>
    </>
  );
}

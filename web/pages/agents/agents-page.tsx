import type { OutputOf } from '../../../src/contract/operation.ts';
import { getAgentCatalog, getAgentSettings } from '../../../src/features/agent-calls/agent-calls.contract.ts';
import { useApiQuery, useApiRecord } from '../../api/queries.ts';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import type { ReadRecord } from '../../components/stored-record.ts';
import { AnswersSection } from './answers-section.tsx';
import { ConnectSection } from './connect-section.tsx';
import { ModeSection } from './mode-section.tsx';
import { TextsSection } from './texts-section.tsx';
import { ToolsSection } from './tools-section.tsx';

export type AgentSettings = OutputOf<typeof getAgentSettings>;
export type StoredAgentSettings = ReadRecord<AgentSettings>;
export type AgentCatalog = OutputOf<typeof getAgentCatalog>;

/** What agents may do here, and what they are told. */
export default function AgentsPage() {
  const settings = useApiRecord(getAgentSettings, {});
  const catalog = useApiQuery(getAgentCatalog, {});
  return (
    <>
      <PageHeader
        title="Agents"
        lead="AI programs that read your ledger and help you keep it, over the Model Context Protocol (MCP)."
      />
      <ConnectSection />
      <Loaded query={settings} lines={6}>
        {(known) => (
          <>
            <ModeSection settings={{ known, reread: settings.reread }} />
            <Loaded query={catalog} lines={8}>
              {(texts) => (
                <>
                  <Section
                    title="Tools"
                    about="An agent neither sees nor calls a tool that is off. The descriptions are the ones that agents read."
                  >
                    <ToolsSection settings={known.value} catalog={texts} />
                  </Section>
                  <TextsSection settings={{ known, reread: settings.reread }} catalog={texts} />
                </>
              )}
            </Loaded>
            <AnswersSection settings={{ known, reread: settings.reread }} />
          </>
        )}
      </Loaded>
    </>
  );
}

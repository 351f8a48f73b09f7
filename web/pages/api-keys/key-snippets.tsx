import { Snippet } from '../../components/snippet.tsx';
import { claudeCommand } from '../../lib/agent-clients.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';

interface KeySnippetsProps {
  apiKey: string;
  isAgent?: boolean;
}

/** Commands to copy, with the address of this page filled in. */
export function KeySnippets({ apiKey, isAgent = false }: KeySnippetsProps) {
  const address = location.origin;
  return (
    <>
      {isAgent && (
        <>
          <p className="mb-2">
            Connect Claude Code. For other clients, see{' '}
            <PageLink to="/settings/agents" className={LINK}>
              Agents
            </PageLink>
            .
          </p>
          <Snippet label="the command that connects an agent" text={claudeCommand(`${address}/mcp`, apiKey)} />
        </>
      )}
      <p className="mb-2">List the newest transactions from a shell:</p>
      <Snippet label="the command" text={`curl -H 'X-API-Key: ${apiKey}' '${address}/api/v1/transactions?limit=5'`} />
      <p>
        Everything a key can do is in the{' '}
        <a href="/docs" className={LINK}>
          API reference
        </a>
        .
      </p>
    </>
  );
}

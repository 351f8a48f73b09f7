import { useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { createApiKey, listApiKeys } from '../../../src/features/api-keys/api-keys.contract.ts';
import { useApiWrite } from '../../api/queries.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/page-header.tsx';
import { SecretOnce, Snippet } from '../../components/snippet.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useUnsavedChanges } from '../../components/unsaved-changes.tsx';
import { claudeCommand } from '../../lib/agent-clients.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';

type MadeKey = OutputOf<typeof createApiKey>;

const PLACEHOLDER = 'YOUR_KEY';

/** How clients connect, with the address of this server filled in, and with a new key while that is shown. */
export function ConnectSection() {
  const address = `${location.origin}/mcp`;
  const [made, setMade] = useState<MadeKey | null>(null);
  const create = useApiWrite(createApiKey, { refreshes: [listApiKeys], onSuccess: setMade });
  const key = made?.key ?? PLACEHOLDER;
  useUnsavedChanges(made !== null && made.key !== null, 'secret');
  return (
    <Section title="Connect an agent" about="Give every agent its own key: then you see which one did what.">
      <p className="mb-2">The address for clients that ask for one:</p>
      <Snippet label="the address" text={address} />
      <p className="mb-4">
        A key made here can look at everything and propose changes; nothing changes until one of you approves. Keys that
        only read, or that write, are made under{' '}
        <PageLink to="/settings/api-keys" className={LINK}>
          API keys
        </PageLink>
        .
      </p>
      <Tabs
        label="Clients"
        tabs={clientsOf(address, key).map(({ label, content, ...tab }) => ({
          ...tab,
          label,
          content: (
            <>
              <KeyForClient
                client={label}
                made={made}
                create={{ isPending: create.isPending, error: create.error }}
                onCreate={() => create.mutate({ body: { name: label, scope: 'propose' } })}
                onSaved={() => setMade(null)}
              />
              {content}
            </>
          ),
        }))}
      />
    </Section>
  );
}

interface KeyForClientProps {
  client: string;
  made: MadeKey | null;
  create: { isPending: boolean; error: unknown };
  onCreate: () => void;
  onSaved: () => void;
}

/** Makes a key that may propose, and shows it once. */
function KeyForClient({ client, made, create, onCreate, onSaved }: KeyForClientProps) {
  if (made !== null && made.key !== null) {
    return (
      <div className="mb-4">
        <SecretOnce label={`Key of ${made.name}, which may propose`} secret={made.key} onSaved={onSaved} />
      </div>
    );
  }
  return (
    <div className="mb-4">
      {create.error !== null && <ErrorBanner error={create.error} />}
      {made !== null && (
        <Banner tone="warning" title="The key was created, but the connection broke before it arrived">
          Revoke it under API keys, and make another.
        </Banner>
      )}
      <p className="mb-2">
        Make a key for it, or put one that you have in place of <code>{PLACEHOLDER}</code>.
      </p>
      <Button busy={create.isPending} onClick={onCreate}>
        {client === 'Others' ? 'Make a key' : `Make a key for ${client}`}
      </Button>
    </div>
  );
}

function clientsOf(address: string, key: string) {
  const header = { Authorization: `Bearer ${key}` };
  return [
    {
      value: 'claude-code',
      label: 'Claude Code',
      content: <Snippet label="the command" text={claudeCommand(address, key)} />,
    },
    {
      value: 'cursor',
      label: 'Cursor',
      content: (
        <Json about="mcp.json of Cursor" value={{ mcpServers: { homeledger: { url: address, headers: header } } }} />
      ),
    },
    {
      value: 'vs-code',
      label: 'VS Code',
      content: (
        <Json
          about=".vscode/mcp.json"
          value={{ servers: { homeledger: { type: 'http', url: address, headers: header } } }}
        />
      ),
    },
    { value: 'desktop', label: 'Claude Desktop', content: <Desktop apiKey={key} /> },
    { value: 'others', label: 'Others', content: <Others /> },
  ];
}

function Json({ about, value }: { about: string; value: object }) {
  return (
    <>
      <p className="mb-2">In {about}:</p>
      <Snippet label={about} text={JSON.stringify(value, null, 2)} />
    </>
  );
}

function Desktop({ apiKey }: { apiKey: string }) {
  const env = { HOMELEDGER_URL: location.origin, HOMELEDGER_API_KEY: apiKey };
  // The Node that `npm ci` installed: that of the machine may be too old.
  const command = '/path/to/homeledger/node_modules/.bin/node';
  const args = ['/path/to/homeledger/src/start.js', 'mcp', '--host'];
  const value = { mcpServers: { homeledger: { command, args, env } } };
  return (
    <>
      <p className="mb-2">
        Its own connectors come from the internet and send no key. Let it start Homeledger’s command instead, which
        passes everything on to this server. Replace <code>/path/to/homeledger</code> with the folder where Homeledger
        is installed:
      </p>
      <Json about="claude_desktop_config.json" value={value} />
    </>
  );
}

function Others() {
  return (
    <p>
      A client connects if it speaks streamable HTTP and can send a header (<code>X-API-Key</code>, or{' '}
      <code>Authorization: Bearer</code>), or if it starts programs that speak MCP over standard input and output.
      Clients that only know OAuth cannot connect.
    </p>
  );
}

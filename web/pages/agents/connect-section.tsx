import { Section } from '../../components/page-header.tsx';
import { Snippet } from '../../components/snippet.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { LINK, PageLink } from '../../lib/page-link.tsx';

const KEY = 'YOUR_KEY';

/** How clients connect, with the address of this server filled in. */
export function ConnectSection() {
  const address = `${location.origin}/mcp`;
  return (
    <Section title="Connect an agent">
      <p className="mb-2">The address for clients that ask for one:</p>
      <Snippet label="the address" text={address} />
      <p className="mb-4">
        Give every agent its own key, so that you can see which one did what.{' '}
        <PageLink to="/settings/api-keys" className={LINK}>
          Make a key
        </PageLink>{' '}
        and put it in place of {KEY}. With a key that may only read, an agent can look at everything and change nothing.
      </p>
      <Tabs label="Clients" tabs={clients(address)} />
    </Section>
  );
}

function clients(address: string) {
  const header = { Authorization: `Bearer ${KEY}` };
  return [
    {
      value: 'claude-code',
      label: 'Claude Code',
      content: (
        <Snippet
          label="the command"
          text={`claude mcp add --transport http homeledger ${address} --header "Authorization: Bearer ${KEY}"`}
        />
      ),
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
    { value: 'desktop', label: 'Claude Desktop', content: <Desktop /> },
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

function Desktop() {
  const env = { HOMELEDGER_URL: location.origin, HOMELEDGER_API_KEY: KEY };
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

import { PageHeader, Section } from '../../components/page-header.tsx';
import { Snippet } from '../../components/snippet.tsx';
import { Switch } from '../../components/choice-fields.tsx';
import { shortcuts } from '../../layout/page-keys.ts';
import { ShortcutList } from '../../layout/shortcuts.tsx';
import { LINK_ALONE } from '../../lib/page-link.tsx';
import { useStore } from '../../lib/store.ts';

export default function HelpPage() {
  const choice = useStore(shortcuts);
  return (
    <>
      <PageHeader title="Help" />
      <Section title="First steps">
        <FirstSteps />
        <p className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
          <a href="/docs" className={LINK_ALONE}>
            API reference
          </a>
          <a href="/openapi.json" className={LINK_ALONE}>
            OpenAPI document
          </a>
        </p>
      </Section>
      <Section title="Keyboard shortcuts">
        <ShortcutList />
        <div className="mt-4 border-t border-line pt-4">
          <Switch
            label="Single-key shortcuts"
            hint="For this browser only. Ctrl K always works."
            checked={choice === 'on'}
            onChange={(isOn) => shortcuts.set(isOn ? 'on' : 'off')}
          />
        </div>
      </Section>
      <Section title="As an app">
        <p>
          Where the address begins with https, or is that of this machine, your browser can install Homeledger as an
          app, and opens it while the server is away. Browsers allow neither at other addresses. What stays on the
          device is the program, and nothing of your household.
        </p>
      </Section>
      <Section title="What leaves your server">
        <p>
          Nothing, until you set it up. Homeledger sends no usage data and does not check for updates. Bank files are
          read on your server.
        </p>
        <ul className="mt-3 list-disc space-y-1 pl-5">
          <li>Connected banks: Plaid or Teller is asked for new transactions, and is sent none of yours.</li>
          <li>
            Workflows: the provider of the model gets the prompts and what the tools return, unless the model runs on a
            machine of your own.
          </li>
          <li>Agents: whoever runs the model of an agent gets what the agent asks for with its key.</li>
          <li>
            Notifications: a channel gets the titles of messages, and their texts if you turn that on. Titles name no
            amounts, banks, shops or people, except those of reports.
          </li>
        </ul>
      </Section>
    </>
  );
}

function FirstSteps() {
  return (
    <ol className="list-decimal space-y-3 pl-5">
      <li>
        Create an API key for your scripts, on the API keys page or with this command on the server:
        <Snippet
          label="the command that creates a key"
          text={'npm run -s homeledger -- keys create --name "My key" --scope full_access'}
        />
        An agent gets a key of its own that can only propose changes:
        <Snippet
          label="the command that creates a key for an agent"
          text={'npm run -s homeledger -- keys create --name "My agent" --scope propose'}
        />
      </li>
      <li>Import a file from your bank. Homeledger works out its format, and asks when it is not sure.</li>
      <li>Look up every endpoint, with examples to copy, in the API reference.</li>
    </ol>
  );
}

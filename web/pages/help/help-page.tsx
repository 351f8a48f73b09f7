import type { ReactNode } from 'react';

import { Switch } from '../../components/choice-fields.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { shortcuts } from '../../layout/page-keys.ts';
import { ShortcutList } from '../../layout/shortcuts.tsx';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';
import { useStore } from '../../lib/store.ts';
import { AgentsChapter, PhoneChapter, SharingChapter } from './everybody-chapters.tsx';
import { GUIDES, type GuideName } from './guide-text.ts';
import { Chapter, Links, ToGuide } from './chapter.tsx';
import { ImportChapter, ReviewChapter, RulesChapter, UndoChapter } from './month-chapters.tsx';

const CONTENTS = [
  ['import', 'Import a file'],
  ['review', 'Review what is new'],
  ['rules', 'Let next month file itself'],
  ['undo', 'Undo a mistake'],
  ['share', 'Share it with your partner'],
  ['phone', 'On a phone'],
  ['agents', 'Let an agent help'],
  ['privacy', 'What leaves your server'],
  ['scripts', 'Scripts'],
  ['shortcuts', 'Keyboard shortcuts'],
  ['guides', 'All guides'],
] as const;

export default function HelpPage() {
  return (
    <>
      <PageHeader title="Help" lead="A month with Homeledger takes a few minutes: import, review, done." />
      <div className="xl:grid xl:grid-cols-[13rem_minmax(0,1fr)] xl:gap-x-12">
        <Contents />
        <div className="min-w-0">
          <ImportChapter />
          <ReviewChapter />
          <RulesChapter />
          <UndoChapter />
          <SharingChapter />
          <PhoneChapter />
          <AgentsChapter />
          <Privacy />
          <Scripts />
          <Keys />
          <AllGuides />
        </div>
      </div>
    </>
  );
}

function Contents() {
  return (
    <nav aria-label="On this page" className="mb-8 xl:sticky xl:top-8 xl:mb-0 xl:self-start print:hidden">
      <ol className="flex flex-wrap gap-x-5 gap-y-1 xl:block xl:space-y-1">
        {CONTENTS.map(([id, title]) => (
          <li key={id}>
            <PageLink to="/help" hash={id} className={LINK_ALONE}>
              {title}
            </PageLink>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Privacy() {
  return (
    <Chapter id="privacy" title="What leaves your server">
      <p>
        Nothing, until you set it up. Homeledger sends no usage data and does not check for updates. Bank files are read
        on your server.
      </p>
      <ul className="list-disc space-y-1 pl-5">
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
      <Links>
        <ToGuide name="connections" />
        <ToGuide name="notifications" />
      </Links>
    </Chapter>
  );
}

function Scripts() {
  return (
    <Chapter id="scripts" title="Scripts">
      <p>
        Everything on these pages is also an API. Make a key for each script under API keys, with no more access than it
        needs. The reference has every endpoint, with examples to copy.
      </p>
      <Links>
        <a href="/docs" className={LINK_ALONE}>
          API reference
        </a>
        <a href="/openapi.json" className={LINK_ALONE}>
          OpenAPI document
        </a>
      </Links>
    </Chapter>
  );
}

function Keys() {
  const choice = useStore(shortcuts);
  return (
    <Chapter id="shortcuts" title="Keyboard shortcuts">
      <ShortcutList />
      <div className="print:hidden">
        <Switch
          label="Single-key shortcuts"
          hint="For this browser only. Ctrl K always works."
          checked={choice === 'on'}
          onChange={(isOn) => shortcuts.set(isOn ? 'on' : 'off')}
        />
      </div>
    </Chapter>
  );
}

function AllGuides() {
  return (
    <Chapter id="guides" title="All guides">
      <ul className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
        {(Object.keys(GUIDES) as GuideName[]).map((name): ReactNode => (
          <li key={name}>
            <PageLink to="/help/{guide}" params={{ guide: name }} className={LINK_ALONE}>
              {GUIDES[name]}
            </PageLink>
          </li>
        ))}
      </ul>
    </Chapter>
  );
}

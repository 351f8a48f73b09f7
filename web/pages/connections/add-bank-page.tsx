import { FileUp, Landmark } from 'lucide-react';
import { useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { createHostedLink } from '../../../src/features/hosted-links/hosted-links.contract.ts';
import { listProviders } from '../../../src/features/providers/providers.contract.ts';
import { listUsers } from '../../../src/features/users/users.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst, useSession } from '../../api/session.ts';
import { Banner } from '../../components/banner.tsx';
import { Select } from '../../components/choice-fields.tsx';
import { DropArea } from '../../components/import/import-button.tsx';
import { Form, useOperationForm } from '../../components/form.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { LINK, LINK_ALONE } from '../../lib/page-link.tsx';
import { PageLinkIfThere } from '../../lib/page-link-if-there.tsx';
import { BankAdded } from './bank-added.tsx';
import { BankWindow, type LinkMade, type LinkState } from './bank-window.tsx';

type Provider = OutputOf<typeof listProviders>[number];

/** Connects a bank, in three steps: whose and through whom, the bank's own window, and what came of it. */
export default function AddBankPage() {
  const providers = useApiQuery(listProviders, {});
  const [link, setLink] = useState<LinkMade | null>(null);
  const [added, setAdded] = useState<LinkState | null>(null);
  const again = (): void => {
    setLink(null);
    setAdded(null);
  };
  return (
    <>
      <PageHeader
        title="Add a bank"
        lead="New transactions then arrive automatically. You sign in at your bank; Homeledger never sees your password."
      />
      <Loaded query={providers} lines={6}>
        {(list) => (
          <>
            {link === null && <Choose providers={list} onMade={setLink} />}
            {link !== null && (
              <Section title={added ? 'Connected' : 'Sign in at the bank'}>
                {added && <BankAdded state={added} onAnother={again} />}
                {!added && <BankWindow key={link.id} link={link} onAgain={again} onDone={setAdded} />}
              </Section>
            )}
          </>
        )}
      </Loaded>
      <ByFile />
    </>
  );
}

function Choose({ providers, onMade }: { providers: readonly Provider[]; onMade: (link: LinkMade) => void }) {
  const banks = providers.filter(({ needs_link_session: needsWindow }) => needsWindow);
  const ready = banks.filter(({ configured }) => configured);
  return (
    <Section title="Which bank?">
      {ready.length === 0 ? <NotSetUp names={banks.map(({ display_name: name }) => name)} /> : null}
      {ready.length > 0 && <ChooseForm ready={ready} onMade={onMade} />}
      {ready.length > 0 && ready.length < banks.length && (
        <p className="mt-4 text-muted">
          {banks.filter(({ configured }) => !configured).map(({ display_name: name }) => name)} is not set up.{' '}
          <PageLinkIfThere to="/settings/providers">{(to) => to('Set it up', LINK)}</PageLinkIfThere>
        </p>
      )}
    </Section>
  );
}

function ChooseForm({ ready, onMade }: { ready: readonly Provider[]; onMade: (link: LinkMade) => void }) {
  const right = useReasonAgainst('full_access');
  const users = useApiQuery(listUsers, {});
  return (
    <Loaded query={users} lines={3}>
      {(members) => <MemberForm members={members} ready={ready} right={right} onMade={onMade} />}
    </Loaded>
  );
}

interface MemberFormProps {
  members: OutputOf<typeof listUsers>;
  ready: readonly Provider[];
  right: string | undefined;
  onMade: (link: LinkMade) => void;
}

function MemberForm({ members, ready, right, onMade }: MemberFormProps) {
  const own = useSession().data?.user?.short_id;
  const create = useApiWrite(createHostedLink, { refreshes: [], onSuccess: onMade });
  const form = useOperationForm(createHostedLink, {
    defaults: {
      user_id: own ?? members[0]?.short_id ?? '',
      provider: (ready.length === 1 ? ready[0]?.name : '') as 'plaid' | 'teller' | '',
      single_use: true,
    },
    send: (body) => create.mutateAsync({ body }),
  });
  return (
    <Form form={form} submit="Continue" disabledReason={right}>
      <Select
        name="user_id"
        label="Whose bank is it?"
        hint="Transactions count as this person’s, unless you say otherwise for an account."
        options={members.map(({ short_id: value, name }) => ({ value, label: name }))}
      />
      {ready.length > 1 && (
        <Select
          name="provider"
          label="Through"
          options={[
            { value: '', label: 'Choose on the next page' },
            ...ready.map(({ name, display_name: label }) => ({ value: name, label })),
          ]}
        />
      )}
    </Form>
  );
}

function NotSetUp({ names }: { names: readonly string[] }) {
  return (
    <Banner title="No provider is set up yet">
      <p>
        Homeledger reaches banks through {names.join(' or ')}. You need an account with one of them; enter its keys in
        the settings.
      </p>
      <p className="mt-2 flex items-center gap-2">
        <Landmark aria-hidden size={18} />
        <PageLinkIfThere to="/settings/providers" otherwise="An admin can set it up.">
          {(to) => to('Set up a provider', LINK_ALONE)}
        </PageLinkIfThere>
      </p>
    </Banner>
  );
}

/** The way that needs no provider. */
function ByFile() {
  return (
    <Section title="Or import a file">
      <p className="flex items-start gap-2 text-muted">
        <FileUp aria-hidden size={20} className="mt-0.5 shrink-0" />
        <span>
          Every bank lets you download your transactions. Homeledger reads CSV, OFX, QFX, QIF, CAMT.053 and MT940. If
          you connect the same bank later, nothing is duplicated.
        </span>
      </p>
      <div className="mt-4">
        <DropArea />
      </div>
    </Section>
  );
}

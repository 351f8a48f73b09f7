import type { ReactNode } from 'react';

import type { getBootstrap } from '../../../src/features/bootstrap/bootstrap.contract.ts';
import type { OutputOf } from '../../../src/contract/operation.ts';
import { Banner } from '../../components/banner.tsx';
import { DefinitionList } from '../../components/definition-list.tsx';
import { Section } from '../../components/page-header.tsx';

type Diagnostics = NonNullable<OutputOf<typeof getBootstrap>['diagnostics']>;
type Request = Diagnostics['request'];

/** How this very request reached the server, and what to set when a proxy in between is not believed. */
export function AddressSection({ diagnostics }: { diagnostics: Diagnostics }) {
  const { request, addresses_at_home: atHome } = diagnostics;
  return (
    <Section title="Address" about="Where phones and other computers find this server, and how it sees this browser.">
      <Advice request={request} />
      <DefinitionList
        items={[
          { term: 'Phones at home open', ...forPhones(atHome) },
          { term: 'Address in your browser', value: location.origin },
          { term: 'Address seen by the server', value: request.origin },
          { term: 'Your browser’s address', value: request.client_address },
        ]}
      />
    </Section>
  );
}

function forPhones(atHome: readonly string[]): { value: ReactNode; note?: string } {
  if (atHome.length === 0) {
    return { value: 'Nothing yet', note: 'The server listens on its own computer only. Start it with HOST=0.0.0.0.' };
  }
  return {
    value: (
      <ul>
        {atHome.map((address) => (
          <li key={address} className="wrap-anywhere">
            {address}
          </li>
        ))}
      </ul>
    ),
  };
}

function Advice({ request }: { request: Request }) {
  if (request.forwarding_ignored) {
    return (
      <Banner tone="warning" title="There is a proxy in front of the server that it does not trust">
        Everyone behind the proxy counts as one visitor, and links may be wrong. Set TRUST_PROXY=
        {request.client_address} on the server and restart it.
      </Banner>
    );
  }
  if (request.origin === location.origin) return null;
  return (
    <Banner tone="warning" title="The server’s address differs from the one in your browser">
      Make your proxy send X-Forwarded-Proto and X-Forwarded-Host and set TRUST_PROXY, or set the public address:
      HOMELEDGER_BASE_URL={location.origin}
    </Banner>
  );
}

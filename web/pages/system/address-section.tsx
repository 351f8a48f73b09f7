import type { getBootstrap } from '../../../src/features/bootstrap/bootstrap.contract.ts';
import type { OutputOf } from '../../../src/contract/operation.ts';
import { Banner } from '../../components/banner.tsx';
import { DefinitionList } from '../../components/definition-list.tsx';
import { Section } from '../../components/page-header.tsx';

type Request = NonNullable<OutputOf<typeof getBootstrap>['diagnostics']>['request'];

/** How this very request reached the server, and what to set when a proxy in between is not believed. */
export function AddressSection({ request }: { request: Request }) {
  return (
    <Section title="Address">
      <Advice request={request} />
      <DefinitionList
        items={[
          { term: 'Address in your browser', value: location.origin },
          { term: 'Address as the server sees it', value: request.origin },
          { term: 'Your browser’s address', value: request.client_address },
        ]}
      />
    </Section>
  );
}

function Advice({ request }: { request: Request }) {
  if (request.forwarding_ignored) {
    return (
      <Banner tone="warning" title="A proxy stands in between, and the server does not believe it">
        All browsers behind it count as one, and links may be wrong. Set TRUST_PROXY={request.client_address} for the
        server, and restart it.
      </Banner>
    );
  }
  if (request.origin === location.origin) return null;
  return (
    <Banner tone="warning" title="The server knows itself by another address than your browser does">
      Let your proxy send X-Forwarded-Proto and X-Forwarded-Host with TRUST_PROXY set, or set the public address:
      HOMELEDGER_BASE_URL={location.origin}
    </Banner>
  );
}

import { getBootstrap } from '../../src/features/bootstrap/bootstrap.contract.ts';
import { useApiQuery } from '../api/queries.ts';
import { Banner } from './banner.tsx';
import { LINK, PageLink } from '../lib/page-link.tsx';
import { troubleWith, type Reach } from '../lib/reach.ts';

export function useReach(): Reach | undefined {
  const { data } = useApiQuery(getBootstrap, {});
  if (!data?.diagnostics) return undefined;
  return { atHome: data.diagnostics.addresses_at_home, links: new URL(data.auth.verification_url).origin };
}

/** Below the field in which the public address is typed. */
export function PublicAddressAdvice({ address }: { address: string }) {
  const reach = useReach();
  const trouble = reach && troubleWith(address.trim(), reach);
  if (!reach || trouble === undefined) return null;
  return (
    <Banner
      tone="warning"
      title={trouble === 'only here' ? 'Other devices cannot open this address' : 'This server does not listen there'}
    >
      {trouble === 'only here' ? (
        <p>It means the device itself: on a phone, the phone.</p>
      ) : (
        <p>Right only if a proxy answers there and passes requests on.</p>
      )}
      <WhereInstead atHome={reach.atHome} />
    </Banner>
  );
}

/** Where a link is made or shown that begins with an address nobody else can open. */
export function LinkAdvice({ address }: { address?: string }) {
  const reach = useReach();
  const trouble = reach && troubleWith(address ?? reach.links, reach);
  if (!reach || trouble === undefined) return null;
  return (
    <Banner
      tone="warning"
      title={trouble === 'only here' ? 'The link opens only on this computer' : 'The link may open nowhere'}
    >
      <p>
        It begins with {new URL(address ?? reach.links).origin}.{' '}
        {trouble === 'not here' && 'This server does not listen there, unless a proxy does. '}
        Set the public address in{' '}
        <PageLink to="/settings/general" className={LINK}>
          General settings
        </PageLink>
        {address === undefined ? ' first.' : ', then make a new link.'}
      </p>
      <WhereInstead atHome={reach.atHome} />
    </Banner>
  );
}

function WhereInstead({ atHome }: { atHome: readonly string[] }) {
  return (
    <p className="mt-1">
      {atHome.length === 0
        ? 'This server listens on its own computer only. For phones at home, start it with HOST=0.0.0.0; for the way from outside, put a proxy with https in front.'
        : `Phones at home reach this server at ${atHome.join(' or ')}.`}
    </p>
  );
}

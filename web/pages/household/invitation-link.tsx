import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Instant } from '../../components/instant.tsx';
import { Snippet } from '../../components/snippet.tsx';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import type { Member } from './member-card.tsx';

/** Null where an answer that was lost on the way is repeated: secrets are shown once. */
export interface Link {
  setup_url: string | null;
  setup_token_expires_at: string | null;
}

interface InvitationLinkProps {
  link: Link;
  member: Member;
  purpose: 'invitation' | 'reset';
  onDone: () => void;
}

/** The link to pass on, shown once. */
export function InvitationLink({ link, member, purpose, onDone }: InvitationLinkProps) {
  const what = purpose === 'reset' ? 'a new password' : 'a password';
  return (
    <>
      {link.setup_url === null ? (
        <Banner tone="warning" title="The link was made, but its text was lost on the way">
          <p>It is shown only once. Choose “New invitation link” or “Reset password” to make another.</p>
        </Banner>
      ) : (
        <>
          <p className="mb-3">
            Pass this link on to {member.name}, who sets {what} with it. It is shown only now.
          </p>
          <Snippet label="the link" text={link.setup_url} />
          <p className="text-muted">
            It ends <Instant at={link.setup_token_expires_at} />, or when it is used.
          </p>
          {isLocal(link.setup_url) && <LocalLinkWarning />}
        </>
      )}
      <div className="mt-6">
        <Button look="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </>
  );
}

function LocalLinkWarning() {
  return (
    <div className="mt-4">
      <Banner tone="warning" title="The link opens on this machine only">
        <p>
          It begins with localhost. Set the address under which others reach this service in{' '}
          <PageLink to="/settings/general" className={LINK}>
            the general settings
          </PageLink>{' '}
          first, then make a new link.
        </p>
      </Banner>
    </div>
  );
}

function isLocal(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

import { LinkAdvice } from '../../components/address-advice.tsx';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Instant } from '../../components/instant.tsx';
import { Snippet } from '../../components/snippet.tsx';
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
        <Banner tone="warning" title="The link was made, but the connection broke before it arrived">
          <p>A link is shown only once. Choose “New invitation link” or “Reset password” to make another.</p>
        </Banner>
      ) : (
        <>
          <p className="mb-3 wrap-anywhere">
            Send this link to <bdi>{member.name}</bdi>, who uses it to set {what}. It is shown only once.
          </p>
          <Snippet label="the link" text={link.setup_url} />
          <p className="text-muted">
            It works once, and expires <Instant isPlanned at={link.setup_token_expires_at} />.
          </p>
          <div className="mt-4">
            <LinkAdvice address={link.setup_url} />
          </div>
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

import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { SecretOnce } from '../../components/snippet.tsx';
import { useUnsavedChanges } from '../../components/unsaved-changes.tsx';

/** The signing secret of a webhook, once. null: the connection broke before it arrived. */
export function NewSecret({ secret, onDone }: { secret: string | null; onDone: () => void }) {
  useUnsavedChanges(secret !== null, 'secret');
  if (secret === null) {
    return (
      <Banner
        tone="warning"
        title="The connection broke before the signing secret arrived"
        actions={<Button onClick={onDone}>Close</Button>}
      >
        The channel works. To get a secret, choose “New signing secret” in its menu.
      </Banner>
    );
  }
  return (
    <>
      <p className="mb-4">
        Every request is signed with this secret, so that the receiver knows that it comes from here. Home Assistant
        does not need it.
      </p>
      <SecretOnce label="Signing secret" secret={secret} onSaved={onDone} />
    </>
  );
}

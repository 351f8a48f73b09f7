import { Snippet } from '../../components/snippet.tsx';
import { LINK } from '../../lib/page-link.tsx';

/** Commands to copy, with the address of this page filled in. */
export function KeySnippets({ apiKey }: { apiKey: string }) {
  const address = location.origin;
  return (
    <>
      <p className="mb-2">List the newest transactions from a shell:</p>
      <Snippet label="the command" text={`curl -H 'X-API-Key: ${apiKey}' '${address}/api/v1/transactions?limit=5'`} />
      <p>
        Everything a key can do is in the{' '}
        <a href="/docs" className={LINK}>
          API reference
        </a>
        .
      </p>
    </>
  );
}

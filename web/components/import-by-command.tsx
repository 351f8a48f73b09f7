import { buttonClass } from './button.tsx';
import { Snippet } from './snippet.tsx';

/** How to import a file, while there is no page for it. */
export function ImportByCommand() {
  const command = `curl ${location.origin}/api/v1/imports -H "X-API-Key: $KEY" -F file=@statement.csv`;
  return (
    <div className="mt-4 text-ink">
      <Snippet label="the command that imports a file" text={command} />
      <a href="/docs" className={buttonClass()}>
        API reference
      </a>
    </div>
  );
}

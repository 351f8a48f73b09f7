import { useQuery } from '@tanstack/react-query';

import { Skeleton } from '../skeleton.tsx';
import { Blocks } from './markdown-blocks.tsx';
import { readMarkdown } from './read-markdown.ts';

interface MarkdownProps {
  source: string;
  /** Whether a person of the household wrote it; in everybody else's, links show where they lead. */
  byPerson: boolean;
}

/**
 * Markdown by the rules of contract 50.3.3: HTML is text, images are links, links lead to https, mail or pages of ours.
 * The parser is loaded when the first text is shown, and works beside the page.
 */
export function Markdown({ source, byPerson }: MarkdownProps) {
  const { data, isError } = useQuery({
    queryKey: ['markdown', source],
    queryFn: ({ signal }) => readMarkdown(source, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
  if (data === undefined && !isError) return <Skeleton lines={6} />;
  return (
    <div className="max-w-prose wrap-anywhere">
      {data ? <Blocks blocks={data} withHosts={!byPerson} /> : <AsWritten source={source} />}
    </div>
  );
}

function AsWritten({ source }: { source: string }) {
  return (
    <>
      <p className="mb-3 text-sm text-muted">
        This text is too intricate to be laid out, so it is shown as it was written.
      </p>
      <p dir="auto" className="whitespace-pre-wrap">
        {source}
      </p>
    </>
  );
}

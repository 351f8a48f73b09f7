import { useQuery } from '@tanstack/react-query';

import { BackLink } from '../../components/back-link.tsx';
import { Banner } from '../../components/banner.tsx';
import { Markdown } from '../../components/markdown/markdown.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { LINK, PageLink, usePageParams } from '../../lib/page-link.tsx';
import { forHelp, GUIDES, isGuide, type GuideName } from './guide-text.ts';
import { loadGuide } from './load-guide.ts';

/** A guide of the repository, for households that have none at hand. */
export default function GuidePage() {
  const { guide = '' } = usePageParams();
  return (
    <>
      <BackLink to="/help">Help</BackLink>
      {isGuide(guide) ? <Guide key={guide} name={guide} /> : <NoSuchGuide />}
    </>
  );
}

function Guide({ name }: { name: GuideName }) {
  const { data, error } = useQuery({
    queryKey: ['guide', name],
    queryFn: async () => forHelp(await loadGuide(name)),
    staleTime: Infinity,
  });
  return (
    <>
      <PageHeader title={GUIDES[name]} />
      {error ? (
        <Banner tone="danger" title="This guide could not be loaded">
          Load the page again when the server can be reached.
        </Banner>
      ) : (
        <article>{data === undefined ? <Skeleton lines={12} /> : <Markdown source={data} byPerson />}</article>
      )}
    </>
  );
}

function NoSuchGuide() {
  return (
    <>
      <PageHeader title="Guide" />
      <p>
        This guide was not found.{' '}
        <PageLink to="/help" hash="guides" className={LINK}>
          All guides
        </PageLink>
      </p>
    </>
  );
}

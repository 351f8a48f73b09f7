import { LINK, PageLink } from '../../lib/page-link.tsx';

/** A rule by its name, which leads to it. */
export function RuleName({ id, name, isQuoted = false }: { id: string; name: string; isQuoted?: boolean }) {
  return (
    <PageLink to="/rules/{id}" params={{ id }} className={LINK}>
      <bdi>{isQuoted ? `“${name}”` : name}</bdi>
    </PageLink>
  );
}

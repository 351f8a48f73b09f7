import { BookOpen, Server } from 'lucide-react';

import { useSession } from '../../api/session.ts';
import { buttonClass } from '../../components/button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageLink } from '../../lib/page-link.tsx';

export default function HomePage() {
  const name = useSession().data?.user?.name;
  return (
    <>
      <PageHeader title="Home" lead={name === undefined ? undefined : `Signed in as ${name}.`} />
      <div className="flex flex-wrap gap-3">
        <PageLink to="/settings/system" className={buttonClass()}>
          <Server aria-hidden size={18} />
          System
        </PageLink>
        <a href="/docs" className={buttonClass()}>
          <BookOpen aria-hidden size={18} />
          API reference
        </a>
      </div>
    </>
  );
}

import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

import type { PagePath } from '../../src/contract/pages.ts';
import { PageLink } from '../lib/page-link.tsx';
import { Button, buttonClass, type ButtonLook } from './button.tsx';

interface ActionLinkProps {
  to: PagePath;
  params?: Readonly<Record<string, string>>;
  search?: Readonly<Record<string, string | undefined>>;
  look?: ButtonLook;
  icon?: LucideIcon;
  /** Why this session may not do what the page is for: then it is a button that says so. */
  disabledReason?: string | undefined;
  children: ReactNode;
}

/** A button that leads to a page. */
export function ActionLink({ look = 'secondary', icon: Icon, disabledReason, children, ...link }: ActionLinkProps) {
  if (disabledReason !== undefined) {
    return (
      <Button {...(Icon ? { icon: Icon } : {})} disabledReason={disabledReason}>
        {children}
      </Button>
    );
  }
  return (
    <PageLink {...link} className={buttonClass(look)}>
      {Icon && <Icon aria-hidden size={18} className="shrink-0" />}
      {children}
    </PageLink>
  );
}

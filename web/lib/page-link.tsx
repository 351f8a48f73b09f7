import { Link, useParams, useSearch, type LinkProps } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import type { z } from 'zod';

import type { PagePath } from '../../src/contract/pages.ts';

interface PageLinkProps {
  to: PagePath;
  params?: Readonly<Record<string, string>>;
  search?: Readonly<Record<string, string | undefined>>;
  /** The id of the part of the page that it leads to. */
  hash?: string;
  className?: string;
  activeClassName?: string;
  tabIndex?: number | undefined;
  /** The page that is shown is below it, or beside it in a tab. */
  isAbove?: boolean;
  onClick?: (event: MouseEvent) => void;
  children: ReactNode;
}

/** A link to a page of the dashboard; `aria-current` where it is the page itself. */
export function PageLink({
  to,
  params,
  search,
  hash,
  className,
  activeClassName,
  tabIndex,
  isAbove = false,
  onClick,
  children,
}: PageLinkProps) {
  const target = { to: routerPath(to), params, search, hash, activeOptions: { exact: true } } as unknown as LinkProps;
  return (
    <Link
      {...target}
      {...(className === undefined ? {} : { className })}
      {...(activeClassName === undefined ? {} : { activeProps: { className: activeClassName } })}
      {...(isAbove ? { 'aria-current': true } : {})}
      {...(onClick ? { onClick } : {})}
      {...(tabIndex === undefined ? {} : { tabIndex })}
    >
      {children}
    </Link>
  );
}

/** A figure that leads to the rows behind it: many stand together, so its line is quiet until it is pointed at. */
export const FIGURE_LINK = 'underline decoration-line-strong underline-offset-4 hover:decoration-current';

/** Such a figure where it stands by itself, high enough for a finger. */
export const FIGURE_ALONE = `${FIGURE_LINK} inline-flex items-center pointer-coarse:min-h-11`;

export const LINK = 'font-medium text-accent underline underline-offset-2 hover:text-accent-strong';

/** A link that stands alone, not in a sentence: high enough for a finger. */
export const LINK_ALONE = `${LINK} inline-flex items-center pointer-coarse:min-h-11`;

function routerPath(path: PagePath): string {
  return path.replace(/\{(\w+)\}/g, '$$$1');
}

/** The parameters in the address: `token` of `/invite/{token}`. */
export function usePageParams(): Readonly<Record<string, string>> {
  return useParams({ strict: false });
}

/** The query of the address, read by a schema; what does not fit counts as absent. */
export function usePageSearch<S extends z.ZodObject>(schema: S): Partial<z.output<S>> {
  const search: unknown = useSearch({ strict: false });
  const parsed = schema.partial().safeParse(search);
  return parsed.success ? (parsed.data as Partial<z.output<S>>) : {};
}

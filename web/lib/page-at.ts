import { PAGES, type Page } from '../../src/contract/pages.ts';

/** The page that an address belongs to. */
export function pageAt(pathname: string): Page | undefined {
  return PAGES.find(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`).test(pathname));
}

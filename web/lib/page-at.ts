import { PAGES, type Page, type PagePath } from '../../src/contract/pages.ts';

/** Whether this version of the dashboard has a page. */
export function hasPage(path: string): path is PagePath {
  return PAGES.some((page) => page.path === path);
}

/** The page that an address belongs to. */
export function pageAt(pathname: string): Page | undefined {
  return PAGES.find(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`).test(pathname));
}

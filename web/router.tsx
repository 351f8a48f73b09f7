import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';

import { PAGES, type Page } from '../src/contract/pages.ts';
import { AccountFrame } from './layout/account-frame.tsx';
import { NotFound, PageFailed } from './layout/failed-page.tsx';
import { Root } from './layout/root.tsx';
import { Shell } from './layout/shell.tsx';
import { readSearch, writeSearch } from './lib/search-text.ts';
import { lazyPage } from './lib/lazy-page.tsx';
import { followVisits } from './lib/visited.ts';
import { PAGE_MODULES } from './page-modules.ts';

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: PageFailed });
const account = createRoute({ getParentRoute: () => root, id: 'account', component: AccountFrame });
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });

/** What is at no page is said inside the frame. */
const elsewhere = createRoute({ getParentRoute: () => shell, path: '$', component: NotFound });

/** The routes of the pages in the list that the server has too (`src/contract/pages.ts`). */
export const router = createRouter({
  routeTree: root.addChildren([
    account.addChildren(routesOf('visitor', account)),
    shell.addChildren([...routesOf('member', shell), elsewhere]),
  ]),
  defaultPreload: 'intent',
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  scrollRestoration: true,
  defaultErrorComponent: PageFailed,
  defaultNotFoundComponent: NotFound,
});
followVisits(router);

function routesOf(kind: 'visitor' | 'member', parent: typeof account | typeof shell) {
  return PAGES.filter(({ audience }) => (audience === 'visitor') === (kind === 'visitor')).map(({ path }) =>
    createRoute({
      getParentRoute: () => parent,
      path: routerPath(path),
      component: lazyPage(PAGE_MODULES[path]),
    }),
  );
}

/** `/invite/{token}` in the notation of the router. */
function routerPath(path: Page['path']): string {
  return path.replace(/\{(\w+)\}/g, '$$$1');
}

import { use, type ComponentType, type ReactNode } from 'react';

/** Where loading the document again has been tried, so that it is not tried for ever. */
export const TRIED = 'homeledger.reloaded';

interface PageModule {
  default: ComponentType;
}

/** The code of a page could not be loaded: the server is away, or has another version by now. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('The code of this page could not be loaded.', { cause });
    this.name = 'PageNotLoaded';
  }
}

/**
 * A page whose code is loaded when it is first opened, or pointed at. That of the router reloads the document when this
 * fails, without looking whether the server answers; here the page says so (`failed-page.tsx`).
 */
export function lazyPage(load: () => Promise<PageModule>): (() => ReactNode) & { preload: () => Promise<void> } {
  let loading: Promise<ComponentType> | undefined;
  let loaded: ComponentType | undefined;
  let hasFailed = false;
  const get = (): Promise<ComponentType> => {
    loading ??= load().then(
      (page) => {
        sessionStorage.removeItem(TRIED);
        loaded = page.default;
        return loaded;
      },
      (error: unknown) => {
        hasFailed = true;
        throw new PageNotLoaded(error);
      },
    );
    return loading;
  };
  // The router asks for it before each visit; a page that is shown keeps the answer it has.
  const preload = async (): Promise<void> => {
    if (hasFailed) loading = undefined;
    hasFailed = false;
    await get().then(ignore, ignore);
  };
  function LazyPage() {
    // Without waiting, if it is there: what is shown first is known as the first page of the visit.
    const Page = loaded ?? use(get());
    return <Page />;
  }
  return Object.assign(LazyPage, { preload });
}

/** What fails here fails again when the page is shown, which then says so. */
function ignore(): void {}

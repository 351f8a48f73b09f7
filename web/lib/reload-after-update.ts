const KEY = 'homeledger.reloaded';

/** After an update the server no longer has the files of the old dashboard: then the page is loaded again, once. */
export function reloadAfterUpdate(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (sessionStorage.getItem(KEY) === location.pathname) return;
    event.preventDefault();
    sessionStorage.setItem(KEY, location.pathname);
    location.reload();
  });
}

/**
 * Lets the browser keep the frame and its code (`service-worker.js`). Only where the address is https or this machine: browsers
 * allow it nowhere else. It begins after everything that the page itself needs.
 */
export function keepFrame(): void {
  if (!('serviceWorker' in navigator)) return;
  addEventListener('load', () => {
    // Without it the pages work as well, as long as the server does.
    void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
  });
}

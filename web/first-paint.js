// Runs before the first paint and before every module: a plain script, because modules wait for the page.

// The policy of the pages forbids eval, which zod would otherwise try for faster parsers.
globalThis.__zod_globalConfig = { jitless: true };

// A dark room is never lit up.
const choice = localStorage.getItem('homeledger.theme');
const isDark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.theme = isDark ? 'dark' : 'light';

const isAccountPage = /^\/(login|setup|invite|auth)(\/|$)/.test(location.pathname);
document.documentElement.dataset.page = isAccountPage ? 'account' : 'household';

// Without its code the page cannot say anything by itself: this one says so, and begins again once the server answers.
const LONGEST_PAUSE_MS = 30_000;
addEventListener(
  'error',
  ({ target }) => {
    const status = document.getElementById('first-paint-status');
    if (!(target instanceof HTMLScriptElement) || !status) return;
    status.textContent = 'Homeledger cannot be reached. This page tries again by itself.';
    tryAgain(1_000);
  },
  true,
);

function tryAgain(pauseMs) {
  setTimeout(() => {
    fetch('/health', { cache: 'no-store' }).then(
      () => location.reload(),
      () => tryAgain(Math.min(2 * pauseMs, LONGEST_PAUSE_MS)),
    );
  }, pauseMs);
}

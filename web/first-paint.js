// The policy of the pages forbids eval, which zod would otherwise try for faster parsers.
globalThis.__zod_globalConfig = { jitless: true };

// Runs before the first paint, so that a dark room is never lit up: a plain script, because modules wait for the page.
const choice = localStorage.getItem('homeledger.theme');
const isDark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.theme = isDark ? 'dark' : 'light';

// @ts-check
/* The page of a hosted link. It is sent inside the page itself, so that it needs no build and no file of the dashboard. */
const { provider, returns } = document.documentElement.dataset;
const token = location.pathname.split('/')[2];
const main = /** @type {HTMLElement} */ (document.querySelector('main'));
const NAMES = { plaid: 'Plaid', teller: 'Teller' };
const REACH = {
  plaid: 'Works with most banks. Choose it if you are not sure.',
  teller: 'Works with many banks in the United States.',
};
/** @type {any} what the link is for */
let session;
/** Whether the link has connected a bank, on this page or before. */
let hasConnected = false;

/* Asking the server */

class Refusal extends Error {
  /** @param {{ code?: string, message?: string, details?: { path: string, message: string }[] }} error */
  constructor({ code = 'UNKNOWN', message = 'Something went wrong. Try again.', details = [] }) {
    super(message);
    this.code = code;
    /** By which an admin finds out more; this page, which anybody may open, shows no text of the provider. */
    this.providerCode = details.find(({ path }) => path === 'provider_code')?.message;
  }
}

/** @param {string} path @param {object} [body] sent with POST */
async function ask(path, body) {
  const sent = body && {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  };
  const answer = await fetch(`/_link/${token}/${path}`, { ...sent, cache: 'no-store', credentials: 'omit' }).catch(
    () => {
      throw new Refusal({
        code: 'OFFLINE',
        message: 'Homeledger cannot be reached. Check your connection, then try again.',
      });
    },
  );
  const json = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (!answer.ok) throw new Refusal(json?.error ?? {});
  return json;
}

/* Drawing */

/** @param {string} tag @param {Record<string, unknown>} properties @param {(Node | string)[]} children */
function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** @param {string} text */
const paragraph = (text, className = '') => element('p', { className }, text);

/** @param {string} text @param {() => unknown} onclick */
const button = (text, onclick, className = '') => element('button', { type: 'button', onclick, className }, text);

/** Shows a view, and moves whoever cannot see it to its heading. @param {string} heading @param {(Node | null)[]} parts */
function show(heading, ...parts) {
  const title = element('h1', { tabIndex: -1 }, heading);
  main.replaceChildren(title, ...parts.filter((part) => part !== null));
  document.title = `${heading} · Homeledger`;
  title.focus();
}

/** @param {string} text */
function showBusy(text) {
  show(text, element('p', { className: 'busy', role: 'status' }, 'This can take a minute. Leave this page open.'));
}

const aside = () => (session.label ? paragraph(session.label, 'label') : null);

/* Views */

function showPicker() {
  const choices = session.providers.map((/** @type {'plaid' | 'teller'} */ name) =>
    element(
      'a',
      { href: `?provider=${encodeURIComponent(name)}`, className: 'choice' },
      element('strong', {}, NAMES[name] ?? name),
      element('span', {}, REACH[name] ?? ''),
    ),
  );
  show(
    'Connect a bank',
    aside(),
    paragraph(
      `For ${session.user_name}. Choose the service that connects to your bank. You sign in at the bank itself; Homeledger never sees your password.`,
    ),
    ...choices,
    hasConnected ? button('I’m done', finish, 'quiet') : button('Not now', giveUp, 'quiet'),
  );
}

/** @param {string | null} problem what went wrong last */
function showStart(problem = null) {
  const isRenewal = session.action === 'relink';
  const bank = session.institution_name ?? 'your bank';
  show(
    isRenewal ? `Sign in to ${bank} again` : 'Connect a bank',
    aside(),
    problem === null ? null : element('p', { className: 'problem', role: 'alert' }, problem),
    paragraph(
      isRenewal
        ? `${session.user_name}, ${bank} wants to check that it is still you. Nothing is lost: new transactions arrive after you sign in.`
        : `For ${session.user_name}. Your bank’s window opens, and you sign in there. Homeledger never sees your password.`,
    ),
    secondWindowHint(),
    button(isRenewal ? 'Sign in' : 'Choose your bank', start),
    hasConnected ? button('I’m done', finish, 'quiet') : button('Not now', giveUp, 'quiet'),
  );
}

/** Without an address that the bank can send the browser back to, some banks need a window of their own. */
function secondWindowHint() {
  if (!bankWindow.needsReturn || returns === 'true') return null;
  const isPhone = matchMedia('(pointer: coarse)').matches && innerWidth < 700;
  return paragraph(
    isPhone
      ? 'Some banks need a second window, which phones often block. If that happens, open this link on a computer.'
      : 'Some banks open a second window. Allow it if your browser asks, and come back here afterwards.',
    'hint',
  );
}

/** @param {any} linked */
function foundAt({ account_count: count }) {
  if (count === 0) return 'Its accounts and transactions appear in Homeledger within a few minutes.';
  const found = count === 1 ? '1 account was found.' : `${count} accounts were found.`;
  return `${found} Transactions appear in Homeledger within a few minutes.`;
}

/** @param {any} linked */
function showConnected(linked) {
  show(
    `${linked.institution_name ?? 'Your bank'} is connected`,
    paragraph(foundAt(linked)),
    button('I’m done', finish),
    button(
      'Connect another bank',
      () => (session.provider === '' ? location.assign(location.pathname) : showStart()),
      'quiet',
    ),
  );
}

/** @param {object} credentials */
function showDuplicate(credentials) {
  show(
    'Is this bank connected already?',
    paragraph('At least one of these accounts is already in Homeledger.'),
    paragraph(
      'To leave it out, go back and choose only your other accounts in the bank’s window. If a connection has stopped ' +
        'working, ask for a link to sign in again instead: that keeps one connection.',
    ),
    button('Go back', () => showStart()),
    button('Connect it a second time', () => connect(credentials, true), 'quiet'),
  );
}

const ENDINGS = {
  completed: ['All done', 'You can close this window.'],
  failed: ['No bank was connected', 'You can close this window. To try again later, ask for a new link.'],
  expired: ['This link has expired', 'Nothing was changed. Ask for a new link.'],
};

/** @type {Record<string, 'completed' | 'failed' | 'expired'>} by the code of a refusal */
const ENDED = { EXPIRED: 'expired', CONSUMED: 'completed', GONE: 'failed' };

/** The end of the link: on to where it leads, or the last words. @param {'completed' | 'failed' | 'expired'} status */
function showEnd(status, outcome = '') {
  const [heading, text] = ENDINGS[status];
  if (!session?.redirect_url) {
    show(heading, outcome === '' ? null : paragraph(outcome), paragraph(text));
    return;
  }
  const next = new URL(session.redirect_url);
  next.searchParams.set('link_session', session.short_id);
  next.searchParams.set('status', status);
  show(heading, element('a', { href: next.href, className: 'button' }, 'Continue'));
  location.replace(next);
}

/* What the person does */

async function start() {
  showBusy('Opening your bank’s window…');
  const opened = await attempt(() => ask(`providers/${provider}/start`, {}));
  if (!opened) return;
  if (!bankWindow.isLoaded()) {
    showStart(
      'The bank’s window could not be loaded. If you use an ad or script blocker, allow this page, then reload it.',
    );
    return;
  }
  if (bankWindow.needsReturn && returns === 'true') {
    bankWindow.remember(opened.link_token, location.pathname + location.search);
  }
  bankWindow.open(opened, { onSignedIn, onClosed: showStart, onStale: start });
}

/** @param {{ credentials: object, renewal: object }} handedOver by the bank's window */
async function onSignedIn({ credentials, renewal }) {
  if (session.action !== 'relink') return connect(credentials, false);
  showBusy('Checking that the bank lets us in…');
  const isDone = await attempt(async () => {
    await ask('reauth-complete', renewal);
    return true;
  });
  if (isDone) showEnd('completed');
}

/** @param {object} credentials @param {boolean} allowsDuplicate */
async function connect(credentials, allowsDuplicate) {
  showBusy('Connecting your bank…');
  const body = { provider, credentials, allow_duplicate: allowsDuplicate };
  const linked = await attempt(() => ask('connections', body), {
    DUPLICATE_CONNECTION: () => showDuplicate(credentials),
  });
  if (!linked) return;
  hasConnected = true;
  if (session.single_use) showEnd('completed', foundAt(linked));
  else showConnected(linked);
}

async function finish() {
  if (await attempt(async () => (await ask('complete', {}), true))) showEnd('completed');
}

async function giveUp() {
  const body = { code: 'given_up', message: 'The person did not want to connect a bank.' };
  const isDone = await attempt(async () => (await ask('fail', body), true));
  if (isDone) showEnd(hasConnected ? 'completed' : 'failed');
}

/**
 * Answers what the work gives; undefined if it was refused, which is shown.
 * @template T @param {() => Promise<T>} work @param {Record<string, () => void>} [special] by code
 */
async function attempt(work, special = {}) {
  try {
    return await work();
  } catch (error) {
    const { code, message, providerCode } = error instanceof Refusal ? error : new Refusal({});
    const known = ENDED[code];
    if (special[code]) special[code]();
    else if (known) showEnd(known);
    else if (session) showStart(providerCode === undefined ? message : `${message} (${providerCode})`);
    else
      show(
        'This page is not working right now',
        paragraph(message),
        button('Try again', () => location.reload()),
      );
    return undefined;
  }
}

async function begin() {
  session = await attempt(() => ask('session'));
  if (!session) return;
  hasConnected = session.result_connection_ids.length > 0;
  if (!provider) {
    const [only, another] = session.providers;
    if (only && !another) location.replace(`?provider=${encodeURIComponent(only)}`);
    else showPicker();
    return;
  }
  const left = bankWindow.takeResult();
  if (left?.signedIn) await onSignedIn(left.signedIn);
  else showStart(left?.problem ?? null);
}

void begin();

import './styles/index.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { queryClient } from './api/queries.ts';
import { sessionQuery } from './api/session.ts';
import { App } from './app.tsx';
import { keepFrame } from './lib/keep-frame.ts';
import { PageNotLoaded } from './lib/lazy-page.tsx';
import { followHatching } from './lib/hatching.ts';
import { followPrivacy } from './lib/privacy.ts';
import { followTheme } from './lib/theme.ts';

followTheme();
followPrivacy();
followHatching();
keepFrame();
// Every page begins with the question who is signed in; it need not wait for the first render.
void queryClient.prefetchQuery(sessionQuery());

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
// What a page says itself is no fault of ours to report.
const onCaughtError = (error: unknown): void => {
  if (!(error instanceof PageNotLoaded)) reportError(error);
};
createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

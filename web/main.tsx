import './styles/index.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { queryClient } from './api/queries.ts';
import { sessionQuery } from './api/session.ts';
import { App } from './app.tsx';
import { reloadAfterUpdate } from './lib/reload-after-update.ts';
import { followPrivacy } from './lib/privacy.ts';
import { followTheme } from './lib/theme.ts';

followTheme();
followPrivacy();
reloadAfterUpdate();
// Every page begins with the question who is signed in; it need not wait for the first render.
void queryClient.prefetchQuery(sessionQuery());

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

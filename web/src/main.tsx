import './platform/zod.ts';
import './app/theme.css';
import { startTransition, StrictMode } from 'react';
import { RouterProvider } from 'react-router/dom';
import { handleFailures, watchSession } from './app/failures.ts';
import { router } from './app/routes.tsx';
import { startLanguage } from './platform/i18n.ts';
import { makeRoot } from './platform/root.ts';
import { applyMeasures, applyScheme, storedScheme } from './platform/theme.ts';

applyMeasures();
applyScheme(storedScheme());
handleFailures();
watchSession();

const place = document.getElementById('root');
if (!place) throw new Error('The page has no #root');
const root = makeRoot(place);
// Not awaited here: the bundler merges small files only where no module waits while it loads.
void startLanguage().then(() =>
  // In short tasks: React draws at once what is not a transition.
  startTransition(() =>
    root.render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  ),
);

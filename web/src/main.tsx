import './platform/zod.ts';
import './app/theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { handleFailures, watchSession } from './app/failures.ts';
import { router } from './app/routes.tsx';
import { startLanguage } from './platform/i18n.ts';
import { applyMeasures, applyScheme, storedScheme } from './platform/theme.ts';

applyMeasures();
applyScheme(storedScheme());
handleFailures();
watchSession();

const place = document.getElementById('root');
if (!place) throw new Error('The page has no #root');
const root = createRoot(place);
// Not awaited here: the bundler merges small files only where no module waits while it loads.
void startLanguage().then(() =>
  root.render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  ),
);

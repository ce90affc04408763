import './platform/zod.ts';
import './app/theme.css';
import { startTransition, StrictMode } from 'react';
import { RouterProvider } from 'react-router/dom';
import { handleFailures, watchSession } from './app/failures.ts';
import { makeRouter } from './app/routes.tsx';
import { startLanguage } from './platform/i18n.ts';
import { makeRoot } from './platform/root.ts';
import { nextTask } from './platform/task.ts';
import { applyMeasures, applyScheme, printLight, storedScheme } from './platform/theme.ts';

applyMeasures();
applyScheme(storedScheme());
printLight();

const place = document.getElementById('root');
if (!place) throw new Error('The page has no #root');
const root = makeRoot(place);

/** In short tasks: the script was evaluated in one, and React draws at once what is not a transition. */
async function start(): Promise<void> {
  // Its texts come meanwhile.
  const language = startLanguage();
  await nextTask();
  const router = makeRouter();
  handleFailures(router);
  watchSession(router);
  await language;
  startTransition(() =>
    root.render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  );
}

// Not awaited here: the bundler merges small files only where no module waits while it loads.
void start();

import './app/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { handleFailures } from './app/failures.ts';
import { router } from './app/routes.tsx';
import { startLanguage } from './platform/i18n.ts';
import { queryClient } from './platform/query.ts';
import { applyScheme, storedScheme } from './platform/theme.ts';

applyScheme(storedScheme());
handleFailures();
await startLanguage();

const place = document.getElementById('root');
if (!place) throw new Error('The page has no #root');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { Tabs } from './Tabs.tsx';

test('a tab is a link that replaces the address, so that back leaves the page', async () => {
  const tabs = (current: string) => (
    <Tabs label="Orientation" tabs={['/v', '/h'].map((to) => ({ to, label: to, current: to === current }))} />
  );
  const router = createMemoryRouter(
    [
      { path: '/', element: <p>Before</p> },
      { path: '/v', element: tabs('/v') },
      { path: '/h', element: tabs('/h') },
    ],
    { initialEntries: ['/', '/v'] },
  );
  render(<RouterProvider router={router} />);
  expect(screen.getByRole('navigation', { name: 'Orientation' })).toBeTruthy();
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('/v');
  await userEvent.click(screen.getByRole('link', { name: '/h' }));
  expect((await screen.findByRole('link', { current: 'page' })).textContent).toBe('/h');
  await router.navigate(-1);
  expect(await screen.findByText('Before')).toBeTruthy();
});

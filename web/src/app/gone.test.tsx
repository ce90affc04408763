import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import AdListPage from '../ads/pages/AdListPage.tsx';
import FileListPage from '../files/pages/FileListPage.tsx';
import UploadPage from '../files/pages/UploadPage.tsx';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';

const OWNER = '0190a000-0000-7000-8000-000000000001';

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
});

test.each([
  ['ads', AdListPage, 'New ad'],
  ['files', FileListPage, 'Upload'],
  ['uploads', UploadPage, 'Files of any kind'],
])(
  'the page of the %s of a deleted user says that there is nothing, and offers nothing to add',
  async (_, PageOf, add) => {
    vi.spyOn(api, 'transport').mockResolvedValue({ code: 404, error: 'NOT_FOUND', message: 'Not found' });
    render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter initialEntries={[`/list/${OWNER}/mia01/1/0/0/1/2`]}>
          <Routes>
            <Route path="/list/:id/:username/:tactive/:vactive/:hactive/:teamid/:type" element={<PageOf />} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>,
    );
    await screen.findByRole('heading', { name: 'Page not found' });
    expect(screen.queryByRole('link', { name: add })).toBeNull();
  },
);

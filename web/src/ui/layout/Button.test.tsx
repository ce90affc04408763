import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { Button, ButtonLink, IconButton } from './Button.tsx';

test('a press calls back once', async () => {
  const onClick = vi.fn();
  render(<Button onClick={onClick}>Save</Button>);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(onClick).toHaveBeenCalledOnce();
});

test('a button that is loading says so and takes no press, nor submits its form', async () => {
  const onClick = vi.fn();
  const onSubmit = vi.fn();
  render(
    <form onSubmit={onSubmit}>
      <Button loading submit onClick={onClick}>
        Save
      </Button>
    </form>,
  );
  const button = screen.getByRole('button', { name: 'Save' });
  expect(button.getAttribute('aria-busy')).toBe('true');
  await userEvent.click(button);
  expect(onClick).not.toHaveBeenCalled();
  expect(onSubmit).not.toHaveBeenCalled();
});

test('a button whose press is work shows that it runs, and takes no second press until it is done', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onClick = vi.fn(() => promise);
  render(<Button onClick={onClick}>Export</Button>);
  const button = screen.getByRole('button', { name: 'Export' });
  await userEvent.dblClick(button);
  expect(onClick).toHaveBeenCalledOnce();
  expect(button.getAttribute('aria-busy')).toBe('true');
  resolve();
  await vi.waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull());
  await userEvent.click(button);
  expect(onClick).toHaveBeenCalledTimes(2);
});

test('a disabled button cannot be pressed', async () => {
  const onClick = vi.fn();
  render(
    <Button disabled onClick={onClick}>
      Save
    </Button>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(onClick).not.toHaveBeenCalled();
});

test('a button that is only an icon has a name, and tells whether what it opens is open', () => {
  render(<IconButton label="More" icon={<i />} expanded onClick={() => undefined} />);
  expect(screen.getByRole('button', { name: 'More', expanded: true })).toBeTruthy();
});

test('a link that looks like a button is a link', () => {
  render(
    <MemoryRouter>
      <ButtonLink to="/user">Users</ButtonLink>
    </MemoryRouter>,
  );
  expect(screen.getByRole('link', { name: 'Users' }).getAttribute('href')).toBe('/user');
});

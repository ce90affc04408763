import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { SecondsField } from '../../ads/editor/SecondsField.tsx';
import { RolloutCard } from '../../releases/form/RolloutCard.tsx';
import { inSteps, type RolloutDraft } from '../../releases/form/rollout.ts';

afterEach(cleanup);

test.each(['20', '٢٠', '۲۰', '２０'])('the seconds of a picture are typed as %s', async (typed) => {
  const onChange = vi.fn();
  function Field() {
    const [seconds, setSeconds] = useState(10);
    onChange(seconds);
    return <SecondsField name="Poster" value={seconds} onChange={setSeconds} />;
  }
  render(<Field />);
  const field = screen.getByRole<HTMLInputElement>('textbox');
  await userEvent.type(field, typed, { initialSelectionStart: 0, initialSelectionEnd: 2 });
  await userEvent.tab();
  expect(field.value).toBe('20');
  expect(onChange).toHaveBeenLastCalledWith(20);
});

test('the shares of a rollout are typed in Arabic digits, and one that is no percentage is forgotten', async () => {
  let draft: RolloutDraft = inSteps();
  function Form() {
    const [value, setValue] = useState(draft);
    draft = value;
    return <RolloutCard value={value} count={100} onChange={setValue} />;
  }
  render(<Form />);
  const [first] = screen.getAllByRole<HTMLInputElement>('textbox');
  if (!first) throw new Error('no field');
  await userEvent.type(first, '١٢', { initialSelectionStart: 0, initialSelectionEnd: 1 });
  await userEvent.tab();
  expect(draft).toMatchObject({ percents: [12, 25, 100] });
  await userEvent.type(first, '٩٩٩', { initialSelectionStart: 0, initialSelectionEnd: 2 });
  await userEvent.tab();
  expect(first.value).toBe('99');
});

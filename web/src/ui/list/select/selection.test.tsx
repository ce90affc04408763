import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { useLongPress } from './longPress.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { useSelection } from './selection.ts';

describe('a selection', () => {
  test('takes items in and out, takes all, and ends', () => {
    const { result } = renderHook(() => useSelection('/mac'));
    expect(result.current.selection).toEqual({ mode: 'off' });
    act(() => result.current.toggle('a'));
    act(() => result.current.toggle('b'));
    act(() => result.current.toggle('a'));
    expect(result.current.selection).toEqual({ mode: 'on', ids: new Set(['b']) });
    act(() => result.current.chooseAll());
    expect(result.current.selection).toEqual({ mode: 'all' });
    act(() => result.current.end());
    expect(result.current.selection).toEqual({ mode: 'off' });
  });

  test('ends when its place becomes another', () => {
    const { result, rerender } = renderHook(({ place }) => useSelection(place), { initialProps: { place: '/mac' } });
    act(() => result.current.toggle('a'));
    rerender({ place: '/mac?q=door' });
    expect(result.current.selection).toEqual({ mode: 'off' });
  });
});

test('the bar says how many are chosen; Escape ends the selection unless a dialog is open', async () => {
  const onEnd = vi.fn();
  const bar = (
    <SelectionBar key="bar" count={2} total={3} onAll={() => undefined} onEnd={onEnd}>
      {null}
    </SelectionBar>
  );
  const { rerender } = render([bar, <dialog key="dialog" open />]);
  expect(screen.getByRole('status').textContent).toContain('2');
  await userEvent.keyboard('{Escape}');
  expect(onEnd).not.toHaveBeenCalled();
  rerender([bar]);
  await userEvent.keyboard('{Escape}');
  expect(onEnd).toHaveBeenCalledOnce();
});

describe('a press', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function Row({ onLongPress, onTap }: { onLongPress: () => void; onTap: () => void }) {
    return (
      <button type="button" {...useLongPress(onLongPress, onTap)}>
        Row
      </button>
    );
  }
  function show() {
    const [onLongPress, onTap] = [vi.fn(), vi.fn()];
    render(<Row onLongPress={onLongPress} onTap={onTap} />);
    return { row: screen.getByRole('button'), onLongPress, onTap };
  }
  const down = { button: 0, clientX: 10, clientY: 10 };

  test('of 500 ms is a long one, and no tap', () => {
    const { row, onLongPress, onTap } = show();
    fireEvent.pointerDown(row, down);
    vi.advanceTimersByTime(499);
    expect(onLongPress).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onLongPress).toHaveBeenCalledOnce();
    fireEvent.pointerUp(row);
    fireEvent.click(row);
    expect(onTap).not.toHaveBeenCalled();
  });

  test('that is shorter is a tap', () => {
    const { row, onLongPress, onTap } = show();
    fireEvent.pointerDown(row, down);
    fireEvent.pointerUp(row);
    fireEvent.click(row);
    vi.advanceTimersByTime(1000);
    expect(onLongPress).not.toHaveBeenCalled();
    expect(onTap).toHaveBeenCalledOnce();
  });

  test('that moves by 5 px is scrolling', () => {
    const { row, onLongPress } = show();
    fireEvent.pointerDown(row, down);
    fireEvent.pointerMove(row, { clientX: 10, clientY: 15 });
    vi.advanceTimersByTime(1000);
    expect(onLongPress).not.toHaveBeenCalled();
  });
});

import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { usePending } from '../feedback/pending.ts';
import style from './HoldButton.module.css';

const HOLD_MS = 1000;

interface HoldButtonProps {
  children: ReactNode;
  icon?: ReactNode;
  /** How to use it. */
  hint: string;
  disabled?: boolean;
  /** Runs once the button was held; it is loading until the promise settles. */
  onHeld: (button: HTMLButtonElement) => Promise<unknown>;
}

const isPressing = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' ';

/** A button for what nobody should do by accident: it is held for a second, by pointer, Enter or Space. */
export function HoldButton({ children, icon, hint, disabled, onHeld }: HoldButtonProps) {
  const [holding, setHolding] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { pending, press } = usePending();
  const release = () => {
    clearTimeout(timer.current);
    setHolding(false);
  };
  const hold = (button: HTMLButtonElement) => {
    if (pending || disabled) return;
    clearTimeout(timer.current);
    setHolding(true);
    timer.current = setTimeout(() => {
      setHolding(false);
      press(() => onHeld(button));
    }, HOLD_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div className={style.frame}>
      <button
        type="button"
        className={style.button}
        data-holding={holding}
        disabled={disabled}
        aria-busy={pending || undefined}
        onPointerDown={(event: PointerEvent<HTMLButtonElement>) => event.button === 0 && hold(event.currentTarget)}
        onPointerUp={release}
        onPointerLeave={release}
        onPointerCancel={release}
        onKeyDown={(event) => {
          if (!isPressing(event)) return;
          event.preventDefault();
          if (!event.repeat) hold(event.currentTarget);
        }}
        onKeyUp={release}
        onBlur={release}
        onContextMenu={(event) => event.preventDefault()}
      >
        {icon}
        <span>{children}</span>
      </button>
      <p className="caption">{hint}</p>
    </div>
  );
}

import style from './transfer.module.css';

interface BarProps {
  /** Name for screen readers. */
  label: string;
  /** 0 to 1; undefined while it is unknown. */
  share: number | undefined;
  paused?: boolean;
}

/** How far a transfer, or what the server makes of it, is. */
export const Bar = ({ label, share, paused = false }: BarProps) => (
  <div
    className={style.bar}
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={share === undefined ? undefined : Math.floor(share * 100)}
    data-paused={paused || undefined}
    data-unknown={share === undefined || undefined}
  >
    <i style={{ inlineSize: share === undefined ? undefined : `${share * 100}%` }} />
  </div>
);

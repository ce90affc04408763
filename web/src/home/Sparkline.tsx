import style from './Sparkline.module.css';

const WIDTH = 100;
const HEIGHT = 28;

/** The shape of a history, without axes. Decoration: its chart is below. */
export function Sparkline({ values }: { values: readonly number[] }) {
  if (values.length < 2) return null;
  const top = Math.max(...values, 1);
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH;
    const y = HEIGHT - 2 - (value / top) * (HEIGHT - 4);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return (
    <svg className={style.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      <path className={style.sparkArea} d={`M0 ${HEIGHT}L${points.join('L')}L${WIDTH} ${HEIGHT}Z`} />
      <path className={style.sparkLine} d={`M${points.join('L')}`} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

import style from './Street.module.css';

/** Screens in a street at dusk: the drawing of the pages before signing in. Decoration only. */
export function Street() {
  return (
    <svg className={style.street} viewBox="50 -10 352 296" preserveAspectRatio="xMidYMax slice" aria-hidden>
      <Houses />
      <Screens />
      <path className={style.ground} d="M0 262h480v38H0z" />
      <path className={style.kerb} d="M0 262h480" />
      <People />
    </svg>
  );
}

const Houses = () => (
  <g>
    <circle className={style.moon} cx="312" cy="112" r="15" />
    <g className={style.far}>
      <path d="M0 150h54v-34h40v62h46v-82h58v66h44v-40h62v58h44v-78h52v96h36v-44h44v128H0z" />
    </g>
    <g className={style.near}>
      <path d="M0 190h70v-22h62v94H0z" />
      <path d="M176 142h112v120H176z" />
      <path d="M334 178h64v-20h82v104H334z" />
    </g>
    <g className={style.lights}>
      <path d="M14 204h14v16H14zM42 204h14v16H42zM84 186h14v16H84zM108 186h14v16h-14zM14 232h14v16H14zM108 216h14v16h-14z" />
      <path d="M346 194h14v16h-14zM412 176h14v16h-14zM440 176h14v16h-14zM440 206h14v16h-14zM372 222h14v16h-14z" />
    </g>
  </g>
);

const Screens = () => (
  <g>
    <g className={style.screen}>
      <rect className={style.frame} x="190" y="154" width="84" height="52" rx="6" />
      <rect className={style.glow1} x="195" y="159" width="74" height="42" rx="3" />
      <circle className={style.sun} cx="249" cy="172" r="6" />
      <path className={style.hill} d="M195 194l18-17 14 12 12-9 30 21v0a3 3 0 0 1-3 0h-68a3 3 0 0 1-3-3z" />
    </g>
    <g className={style.screen}>
      <path className={style.post} d="M92 262v-30" />
      <rect className={style.frame} x="66" y="150" width="52" height="86" rx="6" />
      <rect className={style.glow2} x="71" y="155" width="42" height="19" rx="3" />
      <rect className={style.glow3} x="71" y="177" width="42" height="34" rx="3" />
      <rect className={style.glow1} x="71" y="214" width="42" height="17" rx="3" />
      <path className={style.play} d="M87 186.5v15l12-7.5z" />
    </g>
    <g className={style.screen}>
      <path className={style.post} d="M366 262v-22" />
      <rect className={style.frame} x="342" y="158" width="48" height="84" rx="6" />
      <rect className={style.glow4} x="347" y="163" width="38" height="74" rx="3" />
      <path className={style.cup} d="M357 192h16v14a6 6 0 0 1-6 6h-4a6 6 0 0 1-6-6zM373 196h3a4 4 0 0 1 0 8h-3" />
    </g>
  </g>
);

const People = () => (
  <g className={style.people}>
    <path d="M146 231a5 5 0 1 1 .1 0zM139 262v-20a7 7 0 0 1 14 0v20z" />
    <path d="M304 233a5 5 0 1 1 .1 0zM297 262v-18a7 7 0 0 1 14 0v18z" />
    <path d="M320 243a4 4 0 1 1 .1 0zM315 262v-11a5 5 0 0 1 10 0v11z" />
  </g>
);

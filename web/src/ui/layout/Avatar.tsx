import style from './Menu.module.css';

/** Direction marks, which a name may begin with, are no letters. */
const FIRST_LETTER = /[^\p{Cf}\s]/u;

/** The first letter of a name in a circle. Decoration: the name is shown beside it. */
export const Avatar = ({ name }: { name: string }) => (
  <span className={style.avatar} aria-hidden>
    {FIRST_LETTER.exec(name)?.[0]}
  </span>
);

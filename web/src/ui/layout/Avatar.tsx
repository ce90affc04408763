import style from './Menu.module.css';

/** The first letter of a name in a circle. Decoration: the name is shown beside it. */
export const Avatar = ({ name }: { name: string }) => (
  <span className={style.avatar} aria-hidden>
    {name.slice(0, 1)}
  </span>
);

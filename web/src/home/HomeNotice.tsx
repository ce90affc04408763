import { type ReactNode, useId } from 'react';
import style from './HomeNotice.module.css';

interface HomeNoticeProps {
  icon: ReactNode;
  title: string;
  /** Read out at once. */
  urgent?: boolean;
  /** Where to go from here, at the foot. */
  links: ReactNode;
  children: ReactNode;
}

/** Something that needs somebody, above the cards of the home page. */
export function HomeNotice({ icon, title, urgent, links, children }: HomeNoticeProps) {
  const id = useId();
  return (
    <section className={style.notice} aria-labelledby={id} role={urgent ? 'alert' : undefined}>
      {icon}
      <div>
        <h2 id={id}>{title}</h2>
        {children}
        <p className={style.links}>{links}</p>
      </div>
    </section>
  );
}

import style from '../list/SearchBar.module.css';
import { Link } from 'react-router';

interface TabsProps {
  label: string;
  tabs: readonly { to: string; label: string; current: boolean }[];
}

/** Tabs whose choice is in the address: links, replaced in the history so that back leaves the page. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav className={style.chips} aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          replace
          className={`${style.chip} ${style.tab}`}
          aria-current={tab.current ? 'page' : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}

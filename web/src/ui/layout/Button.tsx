import type { ReactNode, Ref } from 'react';
import { Link } from 'react-router';
import { isChanging } from '../../platform/paths.ts';
import { useReadOnly } from '../../platform/session.ts';
import { type Press, usePending } from '../feedback/pending.ts';
import style from './Button.module.css';

export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger';

interface Look {
  look?: ButtonLook;
  icon?: ReactNode;
  block?: boolean;
  small?: boolean;
  children: ReactNode;
}

/** Stands in the place of an icon while work runs. */
export const Spinner = () => <span className={style.spinner} aria-hidden />;

const classOf = ({ look = 'plain', block, small }: Look): string =>
  [style.button, style[look], block && style.block, small && style.small].filter(Boolean).join(' ');

export interface ButtonProps extends Look {
  /** When it returns a promise, the button is loading until that settles. */
  onClick?: Press | undefined;
  submit?: boolean;
  /** Changes something: read-only people do not see it. */
  changes?: boolean;
  disabled?: boolean;
  /** Shows a spinner and takes no further press. */
  loading?: boolean;
  /** Takes the focus when its dialog opens. */
  takesFocus?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button(props: ButtonProps) {
  const { icon, children, disabled, submit, onClick, ref } = props;
  const { pending, press } = usePending();
  const loading = props.loading === true || pending;
  const readOnly = useReadOnly();
  if (props.changes && readOnly) return null;
  return (
    <button
      ref={ref}
      type={submit ? 'submit' : 'button'}
      className={classOf(props)}
      disabled={disabled}
      data-autofocus={props.takesFocus || undefined}
      aria-busy={loading || undefined}
      aria-disabled={loading || undefined}
      onClick={(event) => (loading ? event.preventDefault() : press(onClick))}
    >
      {loading ? <Spinner /> : icon}
      <span>{children}</span>
    </button>
  );
}

/** A link that looks like a button; read-only people do not see one to a page that changes something. */
export function ButtonLink({ to, ...props }: Look & { to: string }) {
  const readOnly = useReadOnly();
  if (readOnly && isChanging(to)) return null;
  return (
    <Link to={to} className={classOf(props)}>
      {props.icon}
      <span>{props.children}</span>
    </Link>
  );
}

/** An address outside the pages that looks like a button: a download. `download` is the name it is saved under. */
export function ButtonAnchor({ href, download, ...props }: Look & { href: string; download?: string | undefined }) {
  return (
    <a href={href} download={download} rel="noopener noreferrer" className={classOf(props)}>
      {props.icon}
      <span>{props.children}</span>
    </a>
  );
}

interface IconButtonProps {
  label: string;
  icon: ReactNode;
  /** When it returns a promise, the button is loading until that settles. */
  onClick: Press;
  disabled?: boolean;
  expanded?: boolean;
  danger?: boolean;
  /** Changes something: read-only people do not see it. */
  changes?: boolean;
}

/** A button that is only an icon; `label` is its name for those who do not see it. */
export function IconButton({ label, icon, onClick, disabled, expanded, danger, changes }: IconButtonProps) {
  const { pending, press } = usePending();
  const readOnly = useReadOnly();
  if (changes && readOnly) return null;
  return (
    <button
      type="button"
      className={[style.icon, danger && style.iconDanger].filter(Boolean).join(' ')}
      aria-label={label}
      title={label}
      aria-expanded={expanded}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      disabled={disabled}
      onClick={() => press(onClick)}
    >
      {pending ? <Spinner /> : icon}
    </button>
  );
}

/** A link that is a sign alone; `label` is its name. */
export function IconLink({ to, label, icon }: { to: string; label: string; icon: ReactNode }) {
  const readOnly = useReadOnly();
  if (readOnly && isChanging(to)) return null;
  return (
    <Link to={to} className={style.icon} aria-label={label} title={label}>
      {icon}
    </Link>
  );
}

import { Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { ConfirmHost } from '../ui/feedback/ConfirmHost.tsx';
import { ToastHost } from '../ui/feedback/Toast.tsx';
import style from './Shell.module.css';

/** What stands behind every page: the dialog, the toast, the bar of a page on its way. */
export function Root() {
  const { state } = useNavigation();
  return (
    <>
      {state === 'loading' && <div className={style.progress} aria-hidden />}
      <Outlet />
      <ConfirmHost />
      <ToastHost />
      <ScrollRestoration />
    </>
  );
}

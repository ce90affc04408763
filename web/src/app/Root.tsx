import { Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { ConfirmHost } from '../ui/feedback/ConfirmHost.tsx';
import { ToastHost } from '../ui/feedback/Toast.tsx';
import style from './Shell.module.css';

/** Elements of every page: the dialog, the toast, the progress bar of a loading page. */
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

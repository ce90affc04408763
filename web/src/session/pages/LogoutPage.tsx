import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { LOGOUT_DELAY } from '../../platform/constants.ts';
import { session } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { calls } from '../../queries/session.ts';
import style from '../session.module.css';

/** Ends the session at once, on the server and here; leaves after the toast could be read. */
export default function LogoutPage() {
  const { t } = useTranslation('session');
  const navigate = useNavigate();
  const ended = useRef(false);
  // Once: afterwards, somebody may have signed in again, here or in another tab.
  const clear = () => {
    if (!ended.current) session.clear();
    ended.current = true;
  };
  const begin = useEffectEvent(() => {
    toast.success(t('logoutDone'));
    // Whether or not the server could be reached.
    void calls.logout().finally(clear);
  });
  const end = useEffectEvent(() => {
    clear();
    void navigate('/login', { replace: true });
  });
  useEffect(() => {
    begin();
    const timer = setTimeout(() => end(), LOGOUT_DELAY);
    return () => clearTimeout(timer);
  }, []);
  return <p className={style.leaving}>{t('loggingOut')}</p>;
}

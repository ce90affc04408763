import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { LOGOUT_DELAY } from '../../platform/constants.ts';
import { session } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { calls } from '../session.api.ts';
import style from '../session.module.css';

/** Ends the session: on the server at once, here after the toast could be read. */
export default function LogoutPage() {
  const { t } = useTranslation('session');
  const navigate = useNavigate();
  useEffect(() => {
    toast.success(t('logoutDone'));
    void calls.logout();
    const timer = setTimeout(() => {
      session.clear();
      void navigate('/login', { replace: true });
    }, LOGOUT_DELAY);
    return () => clearTimeout(timer);
    // Once, whatever the language does meanwhile.
  }, []);
  return <p className={style.leaving}>{t('loggingOut')}</p>;
}

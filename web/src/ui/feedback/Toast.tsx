import { useTranslation } from 'react-i18next';
import { useToast } from '../../platform/toast.ts';
import { FailIcon, CheckIcon } from '../layout/icons.ts';
import style from './Toast.module.css';

/** Shows the message and the offer of `platform/toast`; rendered once, above everything. */
export function ToastHost() {
  const message = useToast(({ shown }) => shown);
  const offer = useToast(({ offer: made }) => made);
  const { t } = useTranslation();
  return (
    <>
      <div className={style.host} role="status" aria-live="polite" popover="manual" ref={raise(message?.id)}>
        {message && (
          <div key={message.id} className={style.toast}>
            {message.kind === 'success' && <CheckIcon />}
            {message.kind === 'fail' && <FailIcon />}
            <span>{message.text}</span>
          </div>
        )}
      </div>
      <div className={`${style.host} ${style.low}`} aria-live="polite" popover="manual" ref={raise(offer?.id)}>
        {offer && (
          <div key={offer.id} className={style.toast} data-testid="undo">
            <CheckIcon />
            <span>{offer.text}</span>
            <button type="button" className={style.undo} onClick={offer.undo}>
              {t('undo')}
            </button>
          </div>
        )}
      </div>
    </>
  );
}

/** A reopened popover is on top of the top layer, also above an open dialog. */
const raise = (id: number | undefined) => (host: HTMLDivElement | null) => {
  if (!host) return;
  if (host.matches(':popover-open')) host.hidePopover();
  if (id !== undefined) host.showPopover();
};

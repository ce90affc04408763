import { useToast } from '../../platform/toast.ts';
import { FailIcon, CheckIcon } from '../layout/icons.ts';
import style from './Toast.module.css';

/** Shows the message of `platform/toast`; rendered once, above everything. */
export function ToastHost() {
  const message = useToast(({ shown }) => shown);
  return (
    <div className={style.host} role="status" aria-live="polite" popover="manual" ref={raise(message?.id)}>
      {message && (
        <div key={message.id} className={style.toast}>
          {message.kind === 'success' && <CheckIcon />}
          {message.kind === 'fail' && <FailIcon />}
          <span>{message.text}</span>
        </div>
      )}
    </div>
  );
}

/** A reopened popover is on top of the top layer, also above an open dialog. */
const raise = (id: number | undefined) => (host: HTMLDivElement | null) => {
  if (!host) return;
  if (host.matches(':popover-open')) host.hidePopover();
  if (id !== undefined) host.showPopover();
};

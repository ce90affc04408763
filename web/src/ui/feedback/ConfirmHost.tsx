import { explainIssues } from '@ams/contract/messages/explain';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { contractMessages } from '../../platform/i18n.ts';
import { logError } from '../../platform/log.ts';
import { Button } from '../layout/Button.tsx';
import { type Pending, useConfirm } from './confirm.ts';
import { Dialog } from './Dialog.tsx';
import { FieldFrame, TextControl } from '../form/Field.tsx';
import { useTyped } from '../form/typed.ts';
import { usePending } from './pending.ts';
import style from './ConfirmHost.module.css';

/** Shows the dialog of `confirm()`; rendered once in the app. */
export function ConfirmHost() {
  const pending = useConfirm((state) => state.pending);
  return pending ? <ConfirmDialog key={pending.id} pending={pending} /> : null;
}

function useConfirmation(pending: Pending) {
  const { input, title } = pending;
  const { values, set } = useTyped(
    { text: input?.initial ?? '' },
    input && { as: `question ${title} ${input.label} ${input.about}` },
  );
  const { text } = values;
  const [error, setError] = useState<string>();
  const { pending: running, run } = usePending();
  const accept = () => run(acceptOnce);
  const acceptOnce = async () => {
    const checked = input?.schema?.safeParse(text);
    if (checked?.error) return setError(explainIssues(checked.error.issues, contractMessages())[0]?.message);
    try {
      if ((await pending.run?.(checked?.data ?? text)) !== false) pending.settle(true);
    } catch (reason) {
      // The failure was shown as a toast; the dialog stays open for a retry.
      logError(reason);
    }
  };
  return { text, setText: (next: string) => set('text', next), error, running, accept };
}

function ConfirmDialog({ pending }: { pending: Pending }) {
  const { t } = useTranslation();
  const id = useId();
  const { text, setText, error, running, accept } = useConfirmation(pending);
  const onKeyDown = (event: KeyboardEvent) => {
    const onCancel = event.target instanceof HTMLElement && event.target.closest('[data-cancel]') !== null;
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || onCancel) return;
    if (pending.input?.multiline && event.shiftKey) return;
    event.preventDefault();
    // The key that opened the question is held down: nobody has read it yet.
    if (!event.repeat) void accept();
  };
  return (
    <Dialog title={pending.title} onClose={() => !running && pending.settle(false)}>
      <div className={style.content} role="presentation" onKeyDown={onKeyDown}>
        {pending.body && <p className={style.text}>{pending.body}</p>}
        {pending.details}
        {pending.input && (
          <FieldFrame id={id} label={pending.input.label} error={error}>
            <TextControl
              id={id}
              value={text}
              onChange={setText}
              error={error}
              multiline={pending.input.multiline}
              takesFocus
            />
          </FieldFrame>
        )}
        <footer className={style.actions}>
          <span data-cancel>
            <Button block disabled={running} onClick={() => pending.settle(false)}>
              {t('cancel')}
            </Button>
          </span>
          <Button
            look={pending.danger ? 'danger' : 'primary'}
            loading={running}
            takesFocus={!pending.input}
            onClick={() => void accept()}
          >
            {pending.action ?? t('confirm')}
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}

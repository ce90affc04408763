import type { Invitation } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/layout/Button.tsx';
import { useCopy } from '../ui/layout/copy.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { useFormat } from '../ui/format/format.ts';
import { CheckIcon, ClockIcon, CopyIcon, ForbidIcon, ShareIcon, TicketIcon, TrashIcon } from '../ui/layout/icons.ts';
import { MenuButton } from '../ui/layout/Menu.tsx';
import { QrImage } from '../ui/layout/QrImage.tsx';
import { Badge } from '../ui/feedback/StateBadge.tsx';
import { succeeded } from '../ui/feedback/outcome.ts';
import { revokeInvitation } from '../queries/users.ts';
import style from './users.module.css';

const BADGES = {
  unused: { tone: 'good', icon: <TicketIcon />, text: 'stateUnused' },
  used: { tone: 'plain', icon: <CheckIcon />, text: 'stateUsed' },
  expired: { tone: 'warning', icon: <ClockIcon />, text: 'stateExpired' },
  revoked: { tone: 'bad', icon: <ForbidIcon />, text: 'stateRevoked' },
} as const;

/** Browsers without a share sheet (desks, mostly) copy the link instead. */
const canShare = typeof navigator.share === 'function';

const linkOf = (code: string): string => `${window.location.origin}/register/${encodeURIComponent(code)}`;

/** A row of the invitation list. */
export function InvitationCard({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation();
  const { date } = useFormat();
  const [sharing, setSharing] = useState(false);
  const copy = useCopy();
  const { code, state, role, usedBy, createdBy } = invitation;
  const badge = BADGES[state];
  const note = usedBy ? t('usedBy', { username: usedBy.username }) : t('createdBy', { username: createdBy.username });
  return (
    <article className={style.card}>
      <div className={style.open}>
        <span className={style.who}>
          <span className={`device ${style.code} ${state === 'unused' ? '' : style.spent}`}>{code}</span>
          <span className="caption">
            {note} · {t('expiresAt', { date: date(invitation.expiresAt) })}
          </span>
          <span className={style.badges}>
            <Badge tone={badge.tone} icon={badge.icon}>
              {t(badge.text)}
            </Badge>
            {role === 'leading' && <Badge>{t('leading')}</Badge>}
          </span>
        </span>
      </div>
      {state === 'unused' && (
        <MenuButton
          title={common('actionsFor', { name: code })}
          items={[
            { text: t('shareCode'), icon: <ShareIcon />, onPick: () => setSharing(true) },
            { text: t('copyLink'), icon: <CopyIcon />, onPick: () => void copy(linkOf(code)) },
            { text: t('revoke'), icon: <TrashIcon />, danger: true, onPick: () => void revoke() },
          ]}
        />
      )}
      {sharing && <ShareSheet code={code} onClose={() => setSharing(false)} />}
    </article>
  );

  function revoke() {
    return confirm({
      title: t('revokeTitle', { code }),
      body: t('revokeBody'),
      action: t('revoke'),
      danger: true,
      run: async () => succeeded(await revokeInvitation(code), t('revoked')),
    });
  }
}

/** Link and QR code of an invitation. */
function ShareSheet({ code, onClose }: { code: string; onClose: () => void }) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation();
  const copy = useCopy();
  const link = linkOf(code);
  const share = async () => {
    if (canShare) await navigator.share({ text: t('shareText'), url: link }).catch(() => undefined);
    else await copy(link);
  };
  return (
    <Dialog kind="sheet" title={t('scanToRegister')} onClose={onClose}>
      <div className={style.qr}>
        <QrImage text={link} size={232} label={t('scanToRegister')} />
        <p className={`device ${style.code}`}>{code}</p>
        <p className={`device ${style.link}`}>{link}</p>
      </div>
      <Button look="primary" block icon={<ShareIcon />} onClick={() => void share()}>
        {canShare ? common('share') : t('copyLink')}
      </Button>
    </Dialog>
  );
}

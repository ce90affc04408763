import { type CreatedShare, type Envelope, type Share, SHARE_DAYS } from '@ams/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { numberFormat } from '../../platform/intl.ts';
import { confirm } from '../feedback/confirm.ts';
import { Dialog } from '../feedback/Dialog.tsx';
import { succeeded } from '../feedback/outcome.ts';
import { Badge } from '../feedback/StateBadge.tsx';
import { Choice } from '../form/Choice.tsx';
import { Labelled } from '../form/Labelled.tsx';
import { useFormat } from '../format/format.ts';
import { Button } from '../layout/Button.tsx';
import { useCopy } from '../layout/copy.ts';
import { CopyIcon, ShareIcon } from '../layout/icons.ts';
import { InfiniteList, type PageQueryOptions } from '../list/InfiniteList.tsx';
import style from './ShareSheet.module.css';

interface ShareSheetProps {
  title: string;
  /** What the link shows. */
  hint: string;
  /** All links, newest first. */
  query: PageQueryOptions<Share>;
  /** `days` null: valid until it is revoked. */
  create: (days: number | null) => Promise<Envelope<CreatedShare>>;
  revoke: (id: string) => Promise<Envelope<null>>;
  onClose: () => void;
}

/** Makes a link for people without an account, and lists the links that were made. */
export function ShareSheet({ title, hint, query, create, revoke, onClose }: ShareSheetProps) {
  const { t } = useTranslation('reports');
  const [made, setMade] = useState<CreatedShare>();
  const box = useRef<HTMLDivElement>(null);
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      <div className={style.sheet} ref={box}>
        {made ? <NewLink url={made.url} /> : <MakeLink hint={hint} create={create} onMade={setMade} />}
        <h3>{t('sharedLinks')}</h3>
        <InfiniteList
          query={query}
          label={t('sharedLinks')}
          rowHeight={68}
          box={box}
          empty={{ title: t('noLinks'), hint: t('noLinksHint') }}
          render={(share) => <LinkRow share={share} onRevoke={revoke} />}
        />
      </div>
    </Dialog>
  );
}

/** How long a link lives, as people choose it; 0: until it is revoked. */
const DAYS = [7, 30, 90, 0] as const;

interface MakeLinkProps extends Pick<ShareSheetProps, 'hint' | 'create'> {
  onMade: (made: CreatedShare) => void;
}

function MakeLink({ hint, create, onMade }: MakeLinkProps) {
  const { t, i18n } = useTranslation('reports');
  const [days, setDays] = useState<number>(SHARE_DAYS.default);
  const inDays = numberFormat(i18n.language, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  const make = async () => {
    const answer = await create(days === 0 ? null : days);
    if (answer.error === undefined) onMade(answer.data);
  };
  return (
    <>
      <p className="caption">{hint}</p>
      <Labelled label={t('validFor')}>
        <Choice
          label={t('validFor')}
          value={days}
          onChange={setDays}
          options={DAYS.map((value) => ({ value, label: value === 0 ? t('untilRevoked') : inDays.format(value) }))}
        />
      </Labelled>
      <Button look="primary" block icon={<ShareIcon />} onClick={make}>
        {t('createLink')}
      </Button>
    </>
  );
}

/** The address of a new link, this once. */
function NewLink({ url }: { url: string }) {
  const { t } = useTranslation('reports');
  const copy = useCopy();
  return (
    <>
      <p className="caption" role="status">
        {t('linkReady')}
      </p>
      <input
        className={style.url}
        dir="ltr"
        readOnly
        value={url}
        aria-label={t('copyLink')}
        data-testid="share-url"
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button look="primary" block icon={<CopyIcon />} onClick={() => copy(url)}>
        {t('copyLink')}
      </Button>
    </>
  );
}

function LinkRow({ share, onRevoke }: { share: Share; onRevoke: ShareSheetProps['revoke'] }) {
  const { t } = useTranslation('reports');
  const { date } = useFormat();
  const { id, title, state, createdBy, expiresAt } = share;
  const revoke = () =>
    void confirm({
      title: t('revokeTitle', { title }),
      body: t('revokeBody'),
      action: t('revoke'),
      danger: true,
      run: async () => succeeded(await onRevoke(id), t('revoked')),
    });
  return (
    <div className={style.link} data-testid="share" data-state={state}>
      <span>
        <strong dir="auto">{title}</strong>
        <span className="caption">
          {expiresAt === null
            ? t('untilRevoked')
            : t(state === 'expired' ? 'expiredOn' : 'validUntil', { date: date(expiresAt) })}{' '}
          · {createdBy.username}
        </span>
      </span>
      {state === 'active' && (
        <Button small onClick={revoke}>
          {t('revoke')}
        </Button>
      )}
      {state === 'revoked' && <Badge>{t('revoked')}</Badge>}
    </div>
  );
}

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/Button.tsx';
import { useFormat } from '../../ui/format.ts';
import { TrashIcon } from '../../ui/icons.tsx';
import { Card } from '../../ui/Page.tsx';
import type { Target } from './item.ts';
import { discardUpload, useUploads } from './manager.ts';
import { fingerprintOf, unfinishedOf } from './unfinished.ts';
import { percent } from './words.ts';
import style from './upload.module.css';

/** Uploads that a closed tab left behind: choosing the same file goes on with them. */
export function UnfinishedList({ by, target }: { by: string; target: Target }) {
  const { t, i18n } = useTranslation('files');
  const { bytes } = useFormat();
  const [discarded, setDiscarded] = useState<readonly string[]>([]);
  const here = new Set(useUploads().map((item) => fingerprintOf(item.by, item.target, item.name, item.file)));
  const left = unfinishedOf(by, target).filter(
    ({ fingerprint }) => !here.has(fingerprint) && !discarded.includes(fingerprint),
  );
  if (left.length === 0) return null;
  const discard = (fingerprint: string) => {
    setDiscarded([...discarded, fingerprint]);
    void discardUpload(fingerprint);
  };
  return (
    <Card title={t('unfinishedTitle')}>
      <p className="caption">{t('unfinishedHint')}</p>
      <ul className={style.unfinished}>
        {left.map(({ fingerprint, name, size, sent }) => (
          <li key={fingerprint}>
            <span className={style.words}>
              <strong className={style.name} dir="auto">
                <bdi>{name}</bdi>
              </strong>
              <span className={style.told}>
                {t('unfinishedSent', {
                  percent: percent(i18n.language, size === 0 ? 0 : sent / size),
                  size: bytes(size),
                })}
              </span>
            </span>
            <IconButton label={t('discard', { name })} icon={<TrashIcon />} onClick={() => discard(fingerprint)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

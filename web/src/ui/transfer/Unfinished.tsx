import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { unfinishedOf } from '../../platform/transfer/unfinished.ts';
import { IconButton } from '../layout/Button.tsx';
import { useFormat } from '../format/format.ts';
import { TrashIcon } from '../layout/icons.ts';
import { Card } from '../layout/Page.tsx';
import { FileFacts, FileName } from '../list/FileName.tsx';
import style from './transfer.module.css';

interface UnfinishedProps {
  /** Target of the uploads, beginning with the uploader's id. */
  place: readonly (string | number)[];
  /** Fingerprints of what is on its way in this tab. */
  here: ReadonlySet<string>;
  onDiscard: (fingerprint: string) => void;
}

/** Uploads of a closed tab: selecting the same file resumes them. */
export function Unfinished({ place, here, onDiscard }: UnfinishedProps) {
  const { t } = useTranslation();
  const { bytes, percent } = useFormat();
  const [discarded, setDiscarded] = useState<readonly string[]>([]);
  const left = unfinishedOf(place).filter(
    ({ fingerprint }) => !here.has(fingerprint) && !discarded.includes(fingerprint),
  );
  if (left.length === 0) return null;
  const discard = (fingerprint: string) => {
    setDiscarded([...discarded, fingerprint]);
    onDiscard(fingerprint);
  };
  return (
    <Card title={t('unfinishedTitle')}>
      <p className="caption">{t('unfinishedHint')}</p>
      <ul className={style.unfinished}>
        {left.map(({ fingerprint, name, size, sent }) => (
          <li key={fingerprint}>
            <span className={style.words}>
              <FileName name={name} />
              <FileFacts>
                {t('unfinishedSent', { percent: percent(size === 0 ? 0 : sent / size), size: bytes(size) })}
              </FileFacts>
            </span>
            <IconButton label={t('discardFile', { name })} icon={<TrashIcon />} onClick={() => discard(fingerprint)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

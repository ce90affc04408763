import i18next from 'i18next';
import { useEffect, useReducer, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../platform/toast.ts';
import { lookUpUpload } from '../../platform/transfer/transport.ts';
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
  /** Some of them turned out to be done. */
  onDone: () => void;
}

/** Asks the server once how far each of these uploads is, and has them read again. */
function useLookUp(fingerprints: readonly string[], onDone: () => void): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const asked = useRef(new Set<string>());
  useEffect(() => {
    const news = fingerprints.filter((fingerprint) => !asked.current.has(fingerprint));
    if (news.length === 0) return;
    for (const fingerprint of news) asked.current.add(fingerprint);
    void Promise.all(news.map(lookUpUpload)).then((done) => {
      redraw();
      const count = done.filter(Boolean).length;
      if (count === 0) return;
      toast.success(i18next.t('uploadsDone', { count }));
      onDone();
    });
  });
}

/** Uploads of a closed tab: selecting the same file resumes them. */
export function Unfinished({ place, here, onDiscard, onDone }: UnfinishedProps) {
  const { t } = useTranslation();
  const { bytes, percent } = useFormat();
  const [discarded, setDiscarded] = useState<readonly string[]>([]);
  const left = unfinishedOf(place).filter(
    ({ fingerprint }) => !here.has(fingerprint) && !discarded.includes(fingerprint),
  );
  useLookUp(
    left.map(({ fingerprint }) => fingerprint),
    onDone,
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

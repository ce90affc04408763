import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../layout/Button.tsx';
import { Dialog } from '../feedback/Dialog.tsx';
import { PauseIcon, PlayIcon, ReloadIcon } from '../layout/icons.ts';
import type { Staged } from './rotation.ts';
import { Stage } from './Stage.tsx';
import style from './Stage.module.css';

const SIZE_MAX = 560;
/** Height of the sheet's head, controls and edges, in CSS pixels. */
const AROUND = { width: 48, height: 210 };

function sizeFor(orientation: Staged['orientation']): number {
  const width = Math.min(window.innerWidth - AROUND.width, 512);
  const height = window.innerHeight - AROUND.height;
  const fitting = orientation === 'vertical' ? Math.min(height, (width * 16) / 9) : Math.min(width, (height * 16) / 9);
  return Math.round(Math.min(fitting, SIZE_MAX));
}

/** An ad at its largest, playing; `title` is its name. */
export function PreviewSheet({ ad, title, onClose }: { ad: Staged; title: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [playing, setPlaying] = useState(true);
  const [round, setRound] = useState(0);
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      <div className={style.preview}>
        <Stage key={round} ad={ad} size={sizeFor(ad.orientation)} playing={playing} />
        <div className={style.controls}>
          <Button icon={playing ? <PauseIcon /> : <PlayIcon />} onClick={() => setPlaying(!playing)}>
            {t(playing ? 'pause' : 'play')}
          </Button>
          <Button icon={<ReloadIcon />} onClick={() => setRound(round + 1)}>
            {t('fromBeginning')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

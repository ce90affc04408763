import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../platform/toast.ts';
import { ButtonRow } from '../../ui/layout/ButtonRow.tsx';
import { Button, ButtonLink } from '../../ui/layout/Button.tsx';
import { FileButton } from '../../ui/form/FileButton.tsx';
import { CameraIcon, KeyboardIcon, PictureIcon, ReloadIcon } from '../../ui/layout/icons.ts';
import { type CameraTrouble, useCamera } from './camera.ts';
import { readPicture } from './codes.ts';
import { type Scanned, pairAddress, parseScanned } from './scanned.ts';
import style from './scan.module.css';

const TROUBLE_TEXT = {
  refused: ['cameraRefused', 'cameraRefusedHint'],
  missing: ['cameraMissing', 'cameraMissingHint'],
  busy: ['cameraBusy', 'cameraBusyHint'],
  insecure: ['cameraInsecure', 'cameraInsecureHint'],
  broken: ['cameraBroken', 'cameraMissingHint'],
} as const satisfies Record<CameraTrouble, readonly [string, string]>;

/** Reads a device's code by camera or from a picture, and offers typing. */
export function Scanner({ onScanned }: { onScanned: (scanned: Scanned) => void }) {
  const { t } = useTranslation('devices');
  const [attempt, setAttempt] = useState(0);
  return (
    <div className={style.scanner}>
      <Viewfinder key={attempt} onScanned={onScanned} onRetry={() => setAttempt((before) => before + 1)} />
      <ButtonRow>
        <AlbumButton onScanned={onScanned} />
        <ButtonLink to={pairAddress({})} icon={<KeyboardIcon />}>
          {t('enterManually')}
        </ButtonLink>
      </ButtonRow>
    </div>
  );
}

interface ViewfinderProps {
  onScanned: (scanned: Scanned) => void;
  onRetry: () => void;
}

function Viewfinder({ onScanned, onRetry }: ViewfinderProps) {
  const { t } = useTranslation('devices');
  const video = useRef<HTMLVideoElement>(null);
  const foreign = useRef('');
  const camera = useCamera(video, (text) => {
    const scanned = parseScanned(text);
    if (scanned) return onScanned(scanned);
    // A foreign code stays visible for many frames: it is reported once.
    if (foreign.current !== text) toast.fail(t('recognitionError'));
    foreign.current = text;
  });
  return (
    <div className={style.viewfinder} data-state={camera.at}>
      <video ref={video} muted playsInline aria-label={t('cameraView')} hidden={camera.at !== 'live'} />
      {camera.at === 'off' ? (
        <Trouble why={camera.why} onRetry={onRetry} />
      ) : (
        <>
          <div className={style.aim} aria-hidden>
            <i />
          </div>
          <p className={style.hint} role="status">
            {t(camera.at === 'live' ? 'scanHint' : 'cameraStarting')}
          </p>
        </>
      )}
    </div>
  );
}

function Trouble({ why, onRetry }: { why: CameraTrouble; onRetry: () => void }) {
  const { t } = useTranslation('devices');
  const [title, hint] = TROUBLE_TEXT[why];
  return (
    <div className={style.trouble} role="alert">
      <CameraIcon />
      <h2>{t(title)}</h2>
      <p>{t(hint)}</p>
      {why !== 'insecure' && (
        <Button icon={<ReloadIcon />} onClick={onRetry}>
          {t('tryAgain')}
        </Button>
      )}
    </div>
  );
}

function AlbumButton({ onScanned }: { onScanned: (scanned: Scanned) => void }) {
  const { t } = useTranslation('devices');
  const [reading, setReading] = useState(false);
  const read = async (file: File) => {
    setReading(true);
    const texts = await readPicture(file).catch(() => []);
    setReading(false);
    const scanned = texts.map(parseScanned).find((each) => each !== undefined);
    if (scanned) onScanned(scanned);
    else toast.fail(t('recognitionError'));
  };
  return (
    <FileButton
      name="album"
      icon={<PictureIcon />}
      loading={reading}
      accept="image/*"
      onChoose={([file]) => file && void read(file)}
    >
      {t('choosePhoto')}
    </FileButton>
  );
}

import { useState } from 'react';
import { PackageIcon } from '../ui/layout/icons.ts';
import style from './apps.module.css';

/** The icon out of the APK, or a sign in its place. */
export function AppIcon({ src, large }: { src: string | null | undefined; large?: boolean }) {
  const [failed, setFailed] = useState<string>();
  return (
    <span className={large ? `${style.icon} ${style.large}` : style.icon}>
      {src && failed !== src ? (
        <img src={src} alt="" decoding="async" onError={() => setFailed(src)} />
      ) : (
        <PackageIcon />
      )}
    </span>
  );
}

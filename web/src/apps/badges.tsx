import type { AppType } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { BoltIcon, EyeOffIcon } from '../ui/layout/icons.ts';
import { Badge } from '../ui/feedback/StateBadge.tsx';
import style from './apps.module.css';

export const TYPE_TEXT = { 1: 'typePlayer', 2: 'typeLauncher', 3: 'typeSystem' } as const satisfies Record<
  AppType,
  string
>;

interface BadgesProps {
  istype: AppType | undefined;
  forced: boolean;
  /** Undefined while only the address has spoken. */
  published: boolean | undefined;
}

/** Type, whether it installs at once, and whether it is still held back. */
export function AppBadges({ istype, forced, published }: BadgesProps) {
  const { t } = useTranslation('apps');
  return (
    <span className={style.badges}>
      {istype && <Badge tone="primary">{t(TYPE_TEXT[istype])}</Badge>}
      {forced && (
        <Badge tone="warning" icon={<BoltIcon />}>
          {t('forced')}
        </Badge>
      )}
      {published === false && <Badge icon={<EyeOffIcon />}>{t('unpublished')}</Badge>}
    </span>
  );
}

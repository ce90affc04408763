import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  CalendarIcon,
  CheckIcon,
  ClockIcon,
  DownIcon,
  ExpiredIcon,
  FailIcon,
  ForbidIcon,
  ReloadIcon,
} from '../layout/icons.ts';
import style from './StateBadge.module.css';

type Tone = 'good' | 'warning' | 'bad' | 'plain' | 'primary';

const Dot = () => <i className={style.dot} />;
const Ring = () => <i className={style.ring} />;

/** Each state has its own icon and text, so that colour is never needed to distinguish them. */
const STATES = {
  online: { tone: 'good', icon: <Dot />, text: 'stateOnline' },
  offline: { tone: 'plain', icon: <Ring />, text: 'stateOffline' },
  planned: { tone: 'plain', icon: <CalendarIcon />, text: 'statePlanned' },
  waiting: { tone: 'primary', icon: <DownIcon />, text: 'stateWaiting' },
  done: { tone: 'good', icon: <CheckIcon />, text: 'stateDone' },
  failed: { tone: 'bad', icon: <FailIcon />, text: 'stateFailed' },
  expired: { tone: 'bad', icon: <ExpiredIcon />, text: 'stateExpired' },
  expiring: { tone: 'warning', icon: <ClockIcon />, text: 'stateExpiring' },
  processing: { tone: 'primary', icon: <ReloadIcon />, text: 'stateProcessing' },
  enabled: { tone: 'good', icon: <CheckIcon />, text: 'stateEnabled' },
  forbidden: { tone: 'bad', icon: <ForbidIcon />, text: 'stateDisabled' },
} as const satisfies Record<string, { tone: Tone; icon: ReactNode; text: string }>;

export type BadgeState = keyof typeof STATES;

/** The badge of a state; `text` replaces its label ('Waiting 40 %'). */
export function StateBadge({ state, text }: { state: BadgeState; text?: string }) {
  const { t } = useTranslation();
  const { tone, icon, text: word } = STATES[state];
  return (
    <Badge tone={tone} icon={icon}>
      {text ?? t(word)}
    </Badge>
  );
}

/** A badge of another kind: a role, a type. */
export const Badge = ({ tone = 'plain', icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) => (
  <span className={`${style.badge} ${style[tone]}`}>
    {icon}
    {children}
  </span>
);

import { type AuditAction, type AuditEntry, formatMac, parseMac } from '@ams/contract';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import {
  BellIcon,
  CalendarIcon,
  CheckIcon,
  CrossIcon,
  ClockIcon,
  EyeOffIcon,
  ForbidIcon,
  GlobeIcon,
  KeyIcon,
  LevelsIcon,
  PauseIcon,
  PencilIcon,
  PlayIcon,
  PlusIcon,
  ReloadIcon,
  ScanIcon,
  SendIcon,
  ShareIcon,
  TagIcon,
  TicketIcon,
  TrashIcon,
  UpIcon,
  UsersIcon,
  WithdrawIcon,
} from '../../ui/layout/icons.ts';
import type { Told } from './told.ts';
import type { AuditRow } from './rows.ts';
import style from './audit.module.css';

const ACTIONS = {
  'users.create': { text: 'usersCreate', tone: 'good', icon: PlusIcon },
  'users.register': { text: 'usersRegister', tone: 'good', icon: CheckIcon },
  'users.change': { text: 'usersChange', tone: 'plain', icon: PencilIcon },
  'users.forbid': { text: 'usersDisable', tone: 'bad', icon: ForbidIcon },
  'users.enable': { text: 'usersEnable', tone: 'good', icon: CheckIcon },
  'users.password': { text: 'usersPassword', tone: 'plain', icon: KeyIcon },
  'users.secondFactorOn': { text: 'usersSecondFactorOn', tone: 'good', icon: KeyIcon },
  'users.secondFactorOff': { text: 'usersSecondFactorOff', tone: 'bad', icon: KeyIcon },
  'users.resetSecondFactor': { text: 'usersResetSecondFactor', tone: 'bad', icon: KeyIcon },
  'alerts.change': { text: 'alertsChange', tone: 'plain', icon: BellIcon },
  'users.delete': { text: 'usersDelete', tone: 'bad', icon: TrashIcon },
  'invitations.create': { text: 'invitationsCreate', tone: 'good', icon: TicketIcon },
  'invitations.revoke': { text: 'invitationsRevoke', tone: 'bad', icon: ForbidIcon },
  'colleagues.invite': { text: 'colleaguesInvite', tone: 'good', icon: TicketIcon },
  'colleagues.revoke': { text: 'colleaguesRevoke', tone: 'bad', icon: ForbidIcon },
  'colleagues.join': { text: 'colleaguesJoin', tone: 'good', icon: CheckIcon },
  'colleagues.change': { text: 'colleaguesChange', tone: 'plain', icon: PencilIcon },
  'colleagues.disable': { text: 'colleaguesDisable', tone: 'bad', icon: ForbidIcon },
  'colleagues.enable': { text: 'colleaguesEnable', tone: 'good', icon: CheckIcon },
  'colleagues.delete': { text: 'colleaguesDelete', tone: 'bad', icon: TrashIcon },
  'devices.create': { text: 'devicesCreate', tone: 'good', icon: PlusIcon },
  'devices.pair': { text: 'devicesPair', tone: 'good', icon: ScanIcon },
  'devices.key': { text: 'devicesKey', tone: 'plain', icon: KeyIcon },
  'devices.change': { text: 'devicesChange', tone: 'plain', icon: PencilIcon },
  'devices.import': { text: 'devicesImport', tone: 'good', icon: UpIcon },
  'devices.delete': { text: 'devicesDelete', tone: 'bad', icon: TrashIcon },
  'devices.clear': { text: 'devicesClear', tone: 'bad', icon: TrashIcon },
  'devices.batch.reassign': { text: 'devicesBatchReassign', tone: 'plain', icon: UsersIcon },
  'devices.batch.expire': { text: 'devicesBatchExpire', tone: 'plain', icon: CalendarIcon },
  'devices.batch.extend': { text: 'devicesBatchExtend', tone: 'plain', icon: CalendarIcon },
  'devices.batch.timeZone': { text: 'devicesBatchTimeZone', tone: 'plain', icon: GlobeIcon },
  'devices.batch.rename': { text: 'devicesBatchRename', tone: 'plain', icon: PencilIcon },
  'devices.batch.hours': { text: 'devicesBatchHours', tone: 'plain', icon: ClockIcon },
  'devices.batch.levels': { text: 'devicesBatchLevels', tone: 'plain', icon: LevelsIcon },
  'devices.batch.tag': { text: 'devicesBatchTag', tone: 'plain', icon: TagIcon },
  'devices.batch.undo': { text: 'devicesBatchUndo', tone: 'plain', icon: WithdrawIcon },
  'devices.batch.clear': { text: 'devicesBatchClear', tone: 'bad', icon: TrashIcon },
  'devices.batch.restart': { text: 'devicesBatchRestart', tone: 'plain', icon: ReloadIcon },
  'devices.batch.delete': { text: 'devicesBatchDelete', tone: 'bad', icon: TrashIcon },
  'files.upload': { text: 'filesUpload', tone: 'good', icon: UpIcon },
  'files.rename': { text: 'filesRename', tone: 'plain', icon: PencilIcon },
  'files.change': { text: 'filesChange', tone: 'plain', icon: PencilIcon },
  'files.remove': { text: 'filesRemove', tone: 'bad', icon: TrashIcon },
  'ads.create': { text: 'adsCreate', tone: 'good', icon: PlusIcon },
  'ads.change': { text: 'adsChange', tone: 'plain', icon: PencilIcon },
  'ads.release': { text: 'adsRelease', tone: 'good', icon: SendIcon },
  'ads.updateDevices': { text: 'adsUpdateDevices', tone: 'good', icon: SendIcon },
  'ads.defaultContent': { text: 'adsDefaultContent', tone: 'plain', icon: PlayIcon },
  'ads.delete': { text: 'adsDelete', tone: 'bad', icon: TrashIcon },
  'releases.request': { text: 'releasesRequest', tone: 'plain', icon: SendIcon },
  'releases.approve': { text: 'releasesApprove', tone: 'good', icon: CheckIcon },
  'releases.reject': { text: 'releasesReject', tone: 'bad', icon: CrossIcon },
  'releases.pause': { text: 'releasesPause', tone: 'plain', icon: PauseIcon },
  'releases.goOn': { text: 'releasesGoOn', tone: 'plain', icon: PlayIcon },
  'releases.retry': { text: 'releasesRetry', tone: 'plain', icon: ReloadIcon },
  'releases.restore': { text: 'releasesRestore', tone: 'plain', icon: WithdrawIcon },
  'releases.withdraw': { text: 'releasesWithdraw', tone: 'bad', icon: WithdrawIcon },
  'takeovers.prepare': { text: 'takeoversPrepare', tone: 'plain', icon: SendIcon },
  'takeovers.start': { text: 'takeoversStart', tone: 'good', icon: SendIcon },
  'takeovers.end': { text: 'takeoversEnd', tone: 'bad', icon: WithdrawIcon },
  'campaigns.create': { text: 'campaignsCreate', tone: 'good', icon: PlusIcon },
  'campaigns.update': { text: 'campaignsUpdate', tone: 'plain', icon: PencilIcon },
  'campaigns.delete': { text: 'campaignsDelete', tone: 'bad', icon: TrashIcon },
  'campaigns.request': { text: 'campaignsRequest', tone: 'plain', icon: SendIcon },
  'campaigns.approve': { text: 'campaignsApprove', tone: 'good', icon: CheckIcon },
  'campaigns.reject': { text: 'campaignsReject', tone: 'bad', icon: ForbidIcon },
  'campaigns.book': { text: 'campaignsBook', tone: 'good', icon: SendIcon },
  'campaigns.cancel': { text: 'campaignsCancel', tone: 'bad', icon: WithdrawIcon },
  'campaigns.settings': { text: 'campaignsSettings', tone: 'plain', icon: PencilIcon },
  'groups.create': { text: 'groupsCreate', tone: 'good', icon: PlusIcon },
  'groups.update': { text: 'groupsUpdate', tone: 'plain', icon: PencilIcon },
  'groups.delete': { text: 'groupsDelete', tone: 'bad', icon: TrashIcon },
  'shares.create': { text: 'sharesCreate', tone: 'good', icon: ShareIcon },
  'shares.revoke': { text: 'sharesRevoke', tone: 'bad', icon: ForbidIcon },
  'apps.upload': { text: 'appsUpload', tone: 'good', icon: UpIcon },
  'apps.patch': { text: 'appsChange', tone: 'plain', icon: PencilIcon },
  'apps.remove': { text: 'appsRemove', tone: 'bad', icon: TrashIcon },
} as const satisfies Record<AuditAction, Shape>;

interface Shape {
  text: string;
  tone: 'good' | 'bad' | 'plain';
  icon: ComponentType;
}

const OWN_PASSWORD = { text: 'usersPasswordOwn', tone: 'plain', icon: KeyIcon } as const satisfies Shape;
const OWN_ACCOUNT = { text: 'usersChangeOwn', tone: 'plain', icon: PencilIcon } as const satisfies Shape;
const PUBLISHED = { text: 'appsPublish', tone: 'good', icon: SendIcon } as const satisfies Shape;
const TAKEN_BACK = { text: 'appsUnpublish', tone: 'bad', icon: EyeOffIcon } as const satisfies Shape;
const BY_KEY = { text: 'devicesPairByKey', tone: 'good', icon: KeyIcon } as const satisfies Shape;
const REPLACED = { text: 'devicesReplace', tone: 'bad', icon: ScanIcon } as const satisfies Shape;
/** An action of a newer server without a text in this version. */
const UNKNOWN = { text: undefined, tone: 'plain', icon: ClockIcon } as const;

const isKnown = (action: string): action is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, action);

/** Whether a colleague did something to their own log-in, which has no page. */
const isOwnPerson = ({ person, target }: AuditEntry): boolean => person !== null && person.username === target;

/** How an entry is put into words, and the sign for it. */
function shapeOf(entry: AuditEntry, told: Told) {
  const { action, actor, targetId } = entry;
  if (!isKnown(action)) return UNKNOWN;
  const own = isOwnPerson(entry) || (actor !== null && actor.id === targetId);
  if (own && action === 'users.password') return OWN_PASSWORD;
  if (own && action === 'users.change') return OWN_ACCOUNT;
  if (action === 'apps.patch' && told.published !== undefined) return told.published ? PUBLISHED : TAKEN_BACK;
  if (action === 'devices.pair' && told.kind === 'key') return BY_KEY;
  if (action === 'devices.pair' && told.kind === 'replaced') return REPLACED;
  return ACTIONS[action];
}

/** The sign of what was done, on the corner of the avatar. */
export function AuditSign({ entry, told }: { entry: AuditEntry; told: Told }) {
  const { tone, icon: Icon } = shapeOf(entry, told);
  return (
    <span className={`${style.sign} ${style[tone]}`}>
      <Icon />
    </span>
  );
}

/** Stands in a translated sentence where the target goes: U+FFFC, "object replacement character". */
const HOLE = '\uFFFC';

/** An action as a sentence with its target; an unknown action shows its name. */
export function AuditSentence({ entry, told }: { entry: AuditRow; told: Told }) {
  const { t } = useTranslation('audit');
  const { text } = shapeOf(entry, told);
  if (text === undefined) {
    return (
      <p className={style.sentence}>
        <span className="device">{entry.action}</span> <Target entry={entry} told={told} />
      </p>
    );
  }
  const count = told.devices ?? told.count ?? 0;
  const [before, after] = t(text, { target: HOLE, count }).split(HOLE);
  return (
    <p className={style.sentence}>
      {before}
      {after !== undefined && (
        <>
          <Target entry={entry} told={told} />
          {after}
        </>
      )}
    </p>
  );
}

/** The page of what an entry names, where it has one. */
function pageOf(entry: AuditRow): string | undefined {
  const { action, targetId, gone } = entry;
  if (targetId === null || gone || isOwnPerson(entry)) return undefined;
  if (action === 'ads.release' || action.startsWith('releases.')) return `/releases/${targetId}`;
  if (action === 'ads.defaultContent' || action.startsWith('users.')) return `/user/${targetId}`;
  if (action.startsWith('devices.')) return `/mac/${targetId}`;
  return undefined;
}

function Target({ entry, told }: { entry: AuditRow; told: Told }) {
  if (!entry.target) return null;
  const page = pageOf(entry);
  const called = entry.action.startsWith('devices.') ? (
    <Device mac={entry.target} name={(told.before ?? told).name} />
  ) : (
    <bdi className={entry.action.startsWith('invitations.') ? `device ${style.target}` : style.target}>
      {entry.target}
    </bdi>
  );
  return page === undefined ? called : <Link to={page}>{called}</Link>;
}

/** A device by the name that it had at that moment, if any, and by its MAC. */
const Device = ({ mac, name }: { mac: string; name: string | undefined }) => (
  <>
    {name && <bdi className={style.target}>{name} </bdi>}
    <bdi className={name ? 'device' : `device ${style.target}`}>{formatMac(parseMac(mac) ?? mac)}</bdi>
  </>
);

import type { Group } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useSession } from '../../platform/session.ts';
import { firstOf, joined } from '../../ui/format/bidi.ts';
import { AgendaIcon, PencilIcon, ShareIcon, TakeoverIcon, TrashIcon } from '../../ui/layout/icons.ts';
import { MenuButton } from '../../ui/layout/Menu.tsx';
import { devicesText } from '../batch/words.ts';
import { ReleaseSheet } from '../ReleaseSheet.tsx';
import { ShareWall } from '../ShareWall.tsx';
import { askToDeleteGroup, askToRenameGroup } from './actions.ts';
import style from './groups.module.css';

/** A group with the number of its devices; opens its page. */
export function GroupCard({ group }: { group: Group }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const { leading } = useSession();
  const [isTakingOver, setTakingOver] = useState(false);
  const [sharing, setSharing] = useState(false);
  const { name, devices, areas, owner, filter } = group;
  const body = (
    <>
      <strong dir="auto">{name}</strong>
      <span className="caption">{joined([devicesText(devices), owner.username, ...firstOf(areas, 3)])}</span>
    </>
  );
  const link = (
    <Link to={`/groups/${group.id}`} className={style.open}>
      {body}
    </Link>
  );
  // A bookable group of a superior has no filter here: its devices cannot be listed.
  if (filter === null) return <article className={style.card}>{link}</article>;
  return (
    <article className={style.card}>
      {link}
      <MenuButton
        title={common('actionsFor', { name })}
        items={[
          {
            reads: true,
            text: common('calendar'),
            icon: <AgendaIcon />,
            onPick: () => void navigate(`/calendar?group=${group.id}`),
          },
          ...(leading
            ? [{ text: common('takeOverNow'), icon: <TakeoverIcon />, onPick: () => setTakingOver(true) }]
            : []),
          { text: t('shareWall'), icon: <ShareIcon />, onPick: () => setSharing(true) },
          { text: t('rename'), icon: <PencilIcon />, onPick: () => void askToRenameGroup(group) },
          { text: t('deleteGroup'), icon: <TrashIcon />, danger: true, onPick: () => void askToDeleteGroup(group) },
        ]}
      />
      {isTakingOver && (
        <ReleaseSheet to={{ filter: { group: group.id } }} isTakeover onClose={() => setTakingOver(false)} />
      )}
      {sharing && <ShareWall title={name} filter={{ group: group.id }} onClose={() => setSharing(false)} />}
    </article>
  );
}

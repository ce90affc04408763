import type { UserRef } from '@ams/contract';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useSession } from '../platform/session.ts';
import { Avatar } from '../ui/layout/Avatar.tsx';
import { FieldFrame } from '../ui/form/Field.tsx';
import { NextIcon } from '../ui/layout/icons.ts';
import { pickableUsersQuery } from '../queries/users.ts';
import { UserPicker } from '../ui/form/UserPicker.tsx';
import style from './OwnerField.module.css';

/** The owner in the values of a form; undefined until somebody is chosen: then it is who is signed in. */
export const ChosenOwner = z.custom<UserRef | undefined>();

interface OwnerChoice {
  /** Stands in the form; nothing for those who may not choose. */
  field: (hint?: string) => ReactNode;
  /** Stands beside the form, since it has a form of its own. */
  picker: ReactNode;
}

interface OwnerForm {
  values: { owner?: UserRef | undefined };
  set: (name: 'owner', value: UserRef) => void;
}

/** Lets a leading user choose whose device it will be. */
export function useOwnerChoice(form: OwnerForm): OwnerChoice {
  const { t } = useTranslation('devices');
  const { leading, current } = useSession();
  const { owner } = form.values;
  const [picking, setPicking] = useState(false);
  const pick = (user: UserRef) => {
    form.set('owner', user);
    setPicking(false);
  };
  return {
    field: (hint) =>
      leading && (
        <OwnerField
          owner={owner ?? current}
          self={(owner ?? current)?.id === current?.id}
          hint={hint}
          onOpen={() => setPicking(true)}
        />
      ),
    picker: picking && (
      <UserPicker query={pickableUsersQuery} title={t('chooseOwner')} onClose={() => setPicking(false)} onPick={pick} />
    ),
  };
}

interface OwnerFieldProps {
  owner: UserRef | undefined;
  /** It is who is signed in. */
  self: boolean;
  hint: string | undefined;
  onOpen: () => void;
}

function OwnerField({ owner, self, hint, onOpen }: OwnerFieldProps) {
  const { t } = useTranslation('devices');
  const id = useId();
  const username = owner?.username ?? '';
  const text = self ? t('ownerSelf', { username }) : username;
  return (
    <FieldFrame id={id} label={t('owner')} hint={hint}>
      <button id={id} type="button" className={style.pick} aria-describedby={`${id}-value ${id}-note`} onClick={onOpen}>
        {owner && <Avatar name={owner.username} />}
        <span id={`${id}-value`}>{text}</span>
        <NextIcon className="turns" />
      </button>
    </FieldFrame>
  );
}

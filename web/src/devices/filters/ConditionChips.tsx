import type { DeviceFilter } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { adQuery } from '../../queries/ads.ts';
import { groupQuery } from '../../queries/groups.ts';
import { userQuery } from '../../queries/users.ts';
import { isolated } from '../../ui/format/bidi.ts';
import { RemovableChip } from '../../ui/list/RemovableChip.tsx';
import type { Condition } from './address.ts';

const UNKNOWN = '…';

interface ConditionChipsProps {
  filter: DeviceFilter;
  /** Takes conditions out of the address. */
  onChange: (changes: Partial<Record<Condition, string | undefined>>) => void;
}

/** The conditions that no fixed chip shows; a tap on one removes it. */
export function ConditionChips({ filter, onChange }: ConditionChipsProps) {
  const { t } = useTranslation('devices');
  const { t: groups } = useTranslation('groups');
  const { t: common } = useTranslation();
  const { owner, area, group, ad, fits, tags = {} } = filter;
  const condition = (name: string, value: string) => groups('conditionIs', { name, value: isolated(value) });
  return (
    <>
      {owner && <OwnerChip id={owner} onRemove={() => onChange({ owner: undefined })} />}
      {area && <Chip onRemove={() => onChange({ area: undefined })}>{t('areaIs', { area })}</Chip>}
      {group && <GroupChip id={group} onRemove={() => onChange({ group: undefined })} />}
      {ad && <AdChip id={ad} onRemove={() => onChange({ ad: undefined })} />}
      {fits && (
        <Chip onRemove={() => onChange({ fits: undefined })}>{groups('fits', { orientation: common(fits) })}</Chip>
      )}
      {tags.all?.map((tag) => (
        <Chip key={tag} onRemove={() => onChange({ tag: tags.all?.filter((each) => each !== tag).join(',') })}>
          {t('tagIs', { tag: isolated(tag) })}
        </Chip>
      ))}
      {tags.any && (
        <Chip onRemove={() => onChange({ anyTag: undefined })}>{condition(groups('anyTag'), tags.any.join(', '))}</Chip>
      )}
      {tags.none && (
        <Chip onRemove={() => onChange({ noTag: undefined })}>{condition(groups('noTag'), tags.none.join(', '))}</Chip>
      )}
    </>
  );
}

interface NamedProps {
  id: string;
  onRemove: () => void;
}

function OwnerChip({ id, onRemove }: NamedProps) {
  const { t } = useTranslation('devices');
  const owner = useQuery(userQuery(id)).data;
  return <Chip onRemove={onRemove}>{t('ownerIs', { username: owner?.username ?? UNKNOWN })}</Chip>;
}

function GroupChip({ id, onRemove }: NamedProps) {
  const { t } = useTranslation('devices');
  const group = useQuery(groupQuery(id)).data;
  return <Chip onRemove={onRemove}>{t('groupIs', { name: isolated(group?.name ?? UNKNOWN) })}</Chip>;
}

function AdChip({ id, onRemove }: NamedProps) {
  const { t: groups } = useTranslation('groups');
  const ad = useQuery(adQuery(id)).data;
  const value = isolated(ad?.name ?? UNKNOWN);
  return <Chip onRemove={onRemove}>{groups('conditionIs', { name: groups('ad'), value })}</Chip>;
}

/** An active filter; a tap removes it. */
function Chip({ onRemove, children }: { onRemove: () => void; children: ReactNode }) {
  const { t } = useTranslation('devices');
  return (
    <RemovableChip hint={t('removeFilter')} onRemove={onRemove}>
      {children}
    </RemovableChip>
  );
}

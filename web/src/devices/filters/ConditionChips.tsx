import type { DeviceFilter } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useConditionNames } from '../../queries/conditions.ts';
import { groupQuery } from '../../queries/groups.ts';
import { isolated } from '../../ui/format/bidi.ts';
import { useFormat } from '../../ui/format/format.ts';
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
  const { commaSeparated } = useFormat();
  const { owner, area, group, ad, releasedAd, fits, tags = {} } = filter;
  const names = useConditionNames(filter);
  const shown = (name: string | null | undefined) => (name === null ? groups('gone') : (name ?? UNKNOWN));
  const condition = (name: string, value: string) => groups('conditionIs', { name, value: isolated(value) });
  return (
    <>
      {owner && (
        <Chip onRemove={() => onChange({ owner: undefined })}>{t('ownerIs', { username: shown(names.owner) })}</Chip>
      )}
      {area && <Chip onRemove={() => onChange({ area: undefined })}>{t('areaIs', { area: isolated(area) })}</Chip>}
      {group && <GroupChip id={group} onRemove={() => onChange({ group: undefined })} />}
      {ad && <Chip onRemove={() => onChange({ ad: undefined })}>{condition(groups('ad'), shown(names.ad))}</Chip>}
      {releasedAd && (
        <Chip onRemove={() => onChange({ releasedAd: undefined })}>
          {condition(groups('releasedAd'), shown(names.releasedAd))}
        </Chip>
      )}
      {fits && (
        <Chip onRemove={() => onChange({ fits: undefined })}>{groups('fits', { orientation: common(fits) })}</Chip>
      )}
      {tags.all?.map((tag) => (
        <Chip key={tag} onRemove={() => onChange({ tag: tags.all?.filter((each) => each !== tag).join(',') })}>
          {t('tagIs', { tag: isolated(tag) })}
        </Chip>
      ))}
      {tags.any && (
        <Chip onRemove={() => onChange({ anyTag: undefined })}>
          {condition(groups('anyTag'), commaSeparated(tags.any))}
        </Chip>
      )}
      {tags.none && (
        <Chip onRemove={() => onChange({ noTag: undefined })}>
          {condition(groups('noTag'), commaSeparated(tags.none))}
        </Chip>
      )}
    </>
  );
}

interface NamedProps {
  id: string;
  onRemove: () => void;
}

function GroupChip({ id, onRemove }: NamedProps) {
  const { t } = useTranslation('devices');
  const group = useQuery(groupQuery(id)).data;
  return <Chip onRemove={onRemove}>{t('groupIs', { name: isolated(group?.name ?? UNKNOWN) })}</Chip>;
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

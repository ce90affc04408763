import { type DeviceFilter, normalizeTag, TAG_SETS, type TagFilter, TAGS_MAX } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tagsQuery } from '../../queries/devices.ts';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { Button } from '../../ui/layout/Button.tsx';
import chips from '../../ui/list/SearchBar.module.css';
import { SearchBar } from '../../ui/list/SearchBar.tsx';
import style from '../Filters.module.css';
import { Results } from '../Results.tsx';
import { type TagSet, tagsWith } from './address.ts';

const SET_TEXT = { all: 'allTags', any: 'anyTag', none: 'noTag' } as const satisfies Record<TagSet, string>;

interface TagFilterSheetProps {
  filter: DeviceFilter;
  onApply: (tags: TagFilter) => void;
  onClose: () => void;
}

/** Chooses tags, and whether devices must have all of them, at least one, or none. */
export function TagFilterSheet({ filter, onApply, onClose }: TagFilterSheetProps) {
  const { t: groups } = useTranslation('groups');
  const { t: releases } = useTranslation('releases');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [set, setSet] = useState<TagSet>('all');
  const tags = tagsWith(filter.tags ?? {}, set, chosen);
  return (
    <Dialog kind="sheet" title={groups('filterTags')} onClose={onClose}>
      <div className={style.sheet}>
        <TagChoice chosen={chosen} isFull={(tags[set] ?? []).length >= TAGS_MAX} onChange={setChosen} />
        <Choice
          stacked
          label={groups('filterTags')}
          value={set}
          onChange={setSet}
          options={TAG_SETS.map((value) => ({ value, label: groups(SET_TEXT[value]) }))}
        />
        <Results filter={{ ...filter, tags }} />
        <Button
          block
          look="primary"
          disabled={chosen.length === 0}
          onClick={() => {
            onApply(tags);
            onClose();
          }}
        >
          {releases('apply')}
        </Button>
      </div>
    </Dialog>
  );
}

interface TagChoiceProps {
  chosen: readonly string[];
  isFull: boolean;
  onChange: (chosen: readonly string[]) => void;
}

/** The tags in scope, searchable, to choose several. Those chosen stay in view. */
function TagChoice({ chosen, isFull, onChange }: TagChoiceProps) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const [q, setQ] = useState('');
  const found = useQuery(tagsQuery(normalizeTag(q))).data;
  const shown = [...chosen, ...(found ?? []).filter((tag) => !chosen.includes(tag))];
  return (
    <>
      <SearchBar value={q} onSearch={setQ} placeholder={common('search')} />
      <div className={style.tags} role="group" aria-label={t('tags')}>
        {shown.map((tag) => {
          const isChosen = chosen.includes(tag);
          return (
            <button
              key={tag}
              type="button"
              dir="auto"
              className={chips.chip}
              aria-pressed={isChosen}
              disabled={isFull && !isChosen}
              onClick={() => onChange(isChosen ? chosen.filter((each) => each !== tag) : [...chosen, tag])}
            >
              {tag}
            </button>
          );
        })}
        {shown.length === 0 && found && <p className="caption">{q ? common('noMatch') : t('tagsNone')}</p>}
      </div>
    </>
  );
}

import type { MediaFile } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PencilIcon, PlaylistIcon, ScreenIcon, TrashIcon } from '../ui/layout/icons.ts';
import { MenuButton } from '../ui/layout/Menu.tsx';
import { askToRename } from './actions.ts';
import { FileUses } from './FileUses.tsx';
import { KindSheet } from './KindSheet.tsx';

/** What one may do to a file. */
export function FileMenu({ file, onDelete }: { file: MediaFile; onDelete: () => void }) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const [sheet, setSheet] = useState<'kind' | 'uses'>();
  const close = () => setSheet(undefined);
  return (
    <>
      <MenuButton
        title={common('actionsFor', { name: file.name })}
        items={[
          { text: t('rename'), icon: <PencilIcon />, onPick: () => void askToRename(file) },
          { text: t('changeKind'), icon: <ScreenIcon />, onPick: () => setSheet('kind') },
          { reads: true, text: t('uses'), icon: <PlaylistIcon />, onPick: () => setSheet('uses') },
          { text: common('delete'), icon: <TrashIcon />, danger: true, onPick: onDelete },
        ]}
      />
      {sheet === 'kind' && <KindSheet file={file} onClose={close} />}
      {sheet === 'uses' && <FileUses file={file} onClose={close} />}
    </>
  );
}

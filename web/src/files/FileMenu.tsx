import type { MediaFile } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PencilIcon, ScreenIcon, TrashIcon } from '../ui/layout/icons.ts';
import { MenuButton } from '../ui/layout/Menu.tsx';
import { askToRename } from './actions.ts';
import { KindSheet } from './KindSheet.tsx';

/** What one may do to a file. */
export function FileMenu({ file, onDelete }: { file: MediaFile; onDelete: () => void }) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const [moving, setMoving] = useState(false);
  return (
    <>
      <MenuButton
        title={t('actionsFor', { name: file.name })}
        items={[
          { text: t('rename'), icon: <PencilIcon />, onPick: () => void askToRename(file) },
          { text: t('changeKind'), icon: <ScreenIcon />, onPick: () => setMoving(true) },
          { text: common('delete'), icon: <TrashIcon />, danger: true, onPick: onDelete },
        ]}
      />
      {moving && <KindSheet file={file} onClose={() => setMoving(false)} />}
    </>
  );
}

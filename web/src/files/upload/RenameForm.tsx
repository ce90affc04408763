import { FileName } from '@ams/contract';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { contractMessages } from '../../platform/i18n.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { FieldFrame, TextControl } from '../../ui/form/Field.tsx';
import { nameProblem, suggestName } from './check.ts';
import type { UploadItem } from './item.ts';
import { uploads } from './manager.ts';
import style from './upload.module.css';

/** Mends a refused name in place; a name that is allowed is suggested. */
export function RenameForm({ item }: { item: UploadItem }) {
  const { t } = useTranslation('files');
  const id = useId();
  const [name, setName] = useState(suggestName(item.name));
  const problem = nameProblem(name);
  return (
    <form
      className={style.rename}
      data-refused={problem}
      onSubmit={(event) => {
        event.preventDefault();
        if (!problem) uploads.rename(item.id, FileName.parse(name));
      }}
    >
      <FieldFrame id={id} label={t('newName')} error={problem && contractMessages().rules[problem]}>
        <TextControl id={id} value={name} onChange={setName} error={problem} />
      </FieldFrame>
      <Button look="primary" submit disabled={problem !== undefined}>
        {t('useName')}
      </Button>
    </form>
  );
}

import { AppContent, AppName, AppType } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { Choice, Switch } from '../ui/form/Choice.tsx';
import { TextField } from '../ui/form/form.tsx';
import { TYPE_TEXT } from './badges.tsx';
import style from './apps.module.css';

/** User-entered fields of a version; the rest is in the APK. */
export const AppForm = z.object({
  name: AppName,
  content: AppContent,
  forced: z.boolean(),
  istype: AppType,
  published: z.boolean(),
});
export type AppForm = z.input<typeof AppForm>;

interface FieldsProps {
  form: {
    values: AppForm;
    errors: Partial<Record<string, string>>;
    set: <K extends keyof AppForm>(name: K, value: AppForm[K]) => void;
  };
  nameHint?: string;
  namePlaceholder?: string | undefined;
}

const TYPES = [1, 2, 3] as const;

export function AppFields({ form, nameHint, namePlaceholder = '' }: FieldsProps) {
  const { t } = useTranslation('apps');
  const { istype, forced } = form.values;
  return (
    <>
      <TextField
        form={form}
        name="name"
        label={t('name')}
        hint={nameHint}
        placeholder={namePlaceholder}
        autoComplete="off"
      />
      <TextField form={form} name="content" label={t('content')} hint={t('contentHint')} multiline />
      <div className={style.choice}>
        <span className={style.label} aria-hidden>
          {t('type')}
        </span>
        <Choice
          label={t('type')}
          value={istype}
          onChange={(next) => form.set('istype', next)}
          options={TYPES.map((value) => ({ value, label: t(TYPE_TEXT[value]) }))}
        />
      </div>
      <SwitchRow
        label={t('forced')}
        hint={t('forcedHint')}
        checked={forced}
        onChange={(next) => form.set('forced', next)}
      />
    </>
  );
}

interface SwitchRowProps {
  label: string;
  hint: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch with its words beside it. */
export function SwitchRow({ label, hint, checked, onChange }: SwitchRowProps) {
  return (
    <div className={style.switch}>
      <p>
        <span className={style.label}>{label}</span>
        <span className="caption">{hint}</span>
      </p>
      <Switch label={label} checked={checked} onChange={onChange} />
    </div>
  );
}

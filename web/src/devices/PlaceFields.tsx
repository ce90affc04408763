import { AREA_MAX, ADDRESS_MAX } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { areasQuery } from '../queries/devices.ts';
import { TextField } from '../ui/form/form.tsx';

interface Place {
  area: string;
  address: string;
}

interface PlaceFieldsProps {
  form: {
    values: Place;
    errors: Partial<Record<string, string>>;
    set: (name: keyof Place, value: string) => void;
  };
  optional?: boolean;
}

/** Where a device is: its area, with those in use as suggestions, and its address. */
export function PlaceFields({ form, optional = false }: PlaceFieldsProps) {
  const { t } = useTranslation('devices');
  const areas = useQuery(areasQuery(form.values.area.trim())).data ?? [];
  return (
    <>
      <TextField<Place>
        form={form}
        name="area"
        label={t('area')}
        hint={t(optional ? 'areaOptional' : 'areaHint')}
        autoComplete="off"
        maxLength={AREA_MAX}
        suggestions={areas}
      />
      <TextField<Place>
        form={form}
        name="address"
        label={t('address')}
        hint={t(optional ? 'addressOptional' : 'addressHint')}
        autoComplete="off"
        maxLength={ADDRESS_MAX}
      />
    </>
  );
}

/** What a form sends of optional fields. */
export const givenPlace = ({ area, address }: Place) => ({
  area: area.trim() || undefined,
  address: address.trim() || undefined,
});

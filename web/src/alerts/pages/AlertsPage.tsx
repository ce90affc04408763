import { type Alerts, AlertsBody, EmailCode, EXPIRING_DAYS, OFFLINE_MINUTES } from '@ams/contract';
import { explainIssues } from '@ams/contract/messages/explain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { z } from 'zod';
import { contractMessages } from '../../platform/i18n.ts';
import { toast } from '../../platform/toast.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { Switch } from '../../ui/form/Choice.tsx';
import { CodeField, SubmitButton } from '../../ui/form/fields.tsx';
import { Form, TextField, useForm } from '../../ui/form/form.tsx';
import { FailIcon, GroupIcon } from '../../ui/layout/icons.ts';
import { Card, Page } from '../../ui/layout/Page.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { GroupSheet } from '../../ui/list/GroupSheet.tsx';
import { pickableGroupsQuery } from '../../queries/groups.ts';
import { alertsQuery, confirmEmail, resendEmailCode, saveAlerts, testAlerts } from '../../queries/alerts.ts';
import style from '../alerts.module.css';

export default function AlertsPage() {
  const { t } = useTranslation('alerts');
  const alerts = useQuery(alertsQuery);
  // The form begins with what holds now: saving what an earlier visit left here would take back what was set since. Once
  // shown, it is not taken away by what is fetched again beneath it.
  const [shown, setShown] = useState(false);
  const isRead = alerts.isSuccess && !alerts.isFetching;
  if (isRead && !shown) setShown(true);
  return (
    <Page title={t('title')} back="/settings" narrow>
      {alerts.data && (isRead || shown) ? (
        <>
          {alerts.data.mail && alerts.data.email !== null && !alerts.data.emailConfirmed && (
            <ConfirmEmail email={alerts.data.email} />
          )}
          <Settings alerts={alerts.data} />
        </>
      ) : alerts.error && !alerts.isFetching ? (
        <ErrorState error={alerts.error} onRetry={() => alerts.refetch()} />
      ) : (
        <Skeleton height={480} />
      )}
    </Page>
  );
}

/** The code that came by e-mail; a link in the letter brings it along. */
function ConfirmEmail({ email }: { email: string }) {
  const { t } = useTranslation('alerts');
  const { t: common } = useTranslation();
  const [params] = useSearchParams();
  const form = useForm({
    schema: EmailCode,
    initial: { code: params.get('code') ?? '' },
    send: ({ code }) => confirmEmail(code),
    fieldOf: { BAD_EMAIL_CODE: 'code' },
    onDone: () => toast.success(t('confirmed')),
  });
  const resend = useMutation({
    mutationFn: resendEmailCode,
    onSuccess: (answer) => {
      if (answer.error === undefined && answer.data.trouble.email === null) toast.success(t('resent'));
    },
  });
  return (
    <Card title={t('confirmTitle')}>
      <Form form={form} label={t('confirmTitle')}>
        <CodeField form={form} name="code" label={t('code')} hint={t('unconfirmed', { email })} />
        <SubmitButton form={form}>{common('confirm')}</SubmitButton>
        <Button look="quiet" block loading={resend.isPending} onClick={() => resend.mutate()}>
          {t('resend')}
        </Button>
      </Form>
    </Card>
  );
}

const rules = AlertsBody.shape;

/** Values of the fields; an empty address means none. */
const Fields = z.object({
  email: z.literal('').or(rules.email.unwrap()),
  webhook: z.literal('').or(rules.webhook.unwrap()),
  offline: z.boolean(),
  offlineMinutes: z.string(),
  expiring: z.boolean(),
  expiringDays: z.string(),
  group: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
});
type Values = z.input<typeof Fields>;

/** The numbers of the occasions that are switched on. */
const Numbers = {
  offlineMinutes: z.coerce.number().pipe(rules.offlineMinutes.unwrap()),
  expiringDays: z.coerce.number().pipe(rules.expiringDays.unwrap()),
};

const valuesOf = ({ email, webhook, offlineMinutes, expiringDays, group }: Alerts): Values => ({
  email: email ?? '',
  webhook: webhook ?? '',
  offline: offlineMinutes !== null,
  offlineMinutes: String(offlineMinutes ?? OFFLINE_MINUTES.default),
  expiring: expiringDays !== null,
  expiringDays: String(expiringDays ?? EXPIRING_DAYS.default),
  group,
});

/** What was changed, so that nothing else that somebody set meanwhile is overwritten. */
function bodyOf(values: Values, changed: Partial<Values>): Parameters<typeof saveAlerts>[0] {
  const isChanged = (...names: (keyof Values)[]) => names.some((name) => name in changed);
  return {
    ...(isChanged('email') && { email: values.email.trim() || null }),
    ...(isChanged('webhook') && { webhook: values.webhook.trim() || null }),
    ...(isChanged('offline', 'offlineMinutes') && {
      offlineMinutes: values.offline ? Number(values.offlineMinutes) : null,
    }),
    ...(isChanged('expiring', 'expiringDays') && {
      expiringDays: values.expiring ? Number(values.expiringDays) : null,
    }),
    ...(isChanged('group') && { group: values.group?.id ?? null }),
  };
}

function problemsIn({ offline, offlineMinutes, expiring, expiringDays }: Values): Partial<Record<string, string>> {
  return {
    ...(offline && problemOf('offlineMinutes', offlineMinutes)),
    ...(expiring && problemOf('expiringDays', expiringDays)),
  };
}

function problemOf(name: keyof typeof Numbers, text: string): Partial<Record<string, string>> {
  const issues = Numbers[name].safeParse(text).error?.issues ?? [];
  return Object.fromEntries(explainIssues(issues, contractMessages()).map(({ message }) => [name, message]));
}

function Settings({ alerts }: { alerts: Alerts }) {
  const { t } = useTranslation('alerts');
  const { t: home } = useTranslation('home');
  const { t: common } = useTranslation();
  const form = useForm<Values, Alerts>({
    schema: Fields,
    initial: valuesOf(alerts),
    keeping: { as: 'alerts' },
    check: problemsIn,
    send: (values, changed) => saveAlerts(bodyOf(values, changed)),
    stored: valuesOf,
    onDone: () => toast.success(common('saved')),
  });
  const { offline, expiring, group } = form.values;
  return (
    <Form form={form} label={t('title')}>
      <Card>
        <p className="caption">{home('alertsHint')}</p>
        <Occasion label={t('offline')} on={offline} onChange={(on) => form.set('offline', on)}>
          <TextField form={form} name="offlineMinutes" type="number" label={t('offlineMinutes')} />
        </Occasion>
        <Occasion label={t('expiring')} on={expiring} onChange={(on) => form.set('expiring', on)}>
          <TextField form={form} name="expiringDays" type="number" label={t('expiringDays')} />
        </Occasion>
        <Watched group={group} onChange={(next) => form.set('group', next)} />
      </Card>
      <Card>
        <TextField
          form={form}
          name="email"
          label={t('email')}
          autoComplete="email"
          hint={t(alerts.mail ? 'emailHint' : 'noMail')}
        />
        <Trouble reason={alerts.trouble.email} />
        <TextField form={form} name="webhook" label={t('webhook')} autoComplete="off" hint={t('webhookHint')} />
        <Trouble reason={alerts.trouble.webhook} />
        {alerts.webhook !== null && (
          <p>
            <span className="caption">{t('secret')}</span>
            <br />
            <span className={`device ${style.secret}`}>{alerts.secret}</span>
          </p>
        )}
      </Card>
      <SubmitButton form={form}>{common('save')}</SubmitButton>
      {(alerts.email !== null || alerts.webhook !== null) && <TestButton />}
    </Form>
  );
}

interface WatchedProps {
  group: Alerts['group'];
  onChange: (group: Alerts['group']) => void;
}

/** The devices that the alerts are about: all, or those of a group; none if the group was deleted. */
function Watched({ group, onChange }: WatchedProps) {
  const { t } = useTranslation('alerts');
  const { t: devices } = useTranslation('devices');
  const [picking, setPicking] = useState(false);
  return (
    <div className={style.occasion}>
      <p>
        <strong>{t('watched')}</strong>: <bdi>{group ? (group.name ?? t('groupDeleted')) : t('watchAll')}</bdi>
      </p>
      {group?.name === null && (
        <Notice tone="bad" icon={<FailIcon />} role="alert">
          {t('groupDeletedHint')}
        </Notice>
      )}
      <div className={style.choices}>
        <Button small icon={<GroupIcon />} onClick={() => setPicking(true)}>
          {devices('chooseGroup')}
        </Button>
        {group && (
          <Button small onClick={() => onChange(null)}>
            {t('watchAll')}
          </Button>
        )}
      </div>
      {picking && (
        <GroupSheet
          query={pickableGroupsQuery}
          onClose={() => setPicking(false)}
          onPick={({ id, name }) => {
            setPicking(false);
            onChange({ id, name });
          }}
        />
      )}
    </div>
  );
}

interface OccasionProps {
  label: string;
  on: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
}

function Occasion({ label, on, onChange, children }: OccasionProps) {
  return (
    <div className={style.occasion}>
      <div className={style.line}>
        <strong>{label}</strong>
        <Switch label={label} checked={on} onChange={onChange} />
      </div>
      {on && children}
    </div>
  );
}

function Trouble({ reason }: { reason: string | null }) {
  const { t } = useTranslation('alerts');
  return reason === null ? null : (
    <p className={style.trouble} role="alert">
      {t('deliveryFailed', { reason })}
    </p>
  );
}

function TestButton() {
  const { t } = useTranslation('alerts');
  const test = useMutation({
    mutationFn: testAlerts,
    onSuccess: (answer) => {
      if (answer.error !== undefined) return;
      const { email, webhook } = answer.data.trouble;
      if (email === null && webhook === null) toast.success(t('tested'));
    },
  });
  return (
    <Button block loading={test.isPending} onClick={() => test.mutate()}>
      {t('test')}
    </Button>
  );
}

import { type Ad, AdName, type Region, type User } from '@ams/contract';
import { explainIssues } from '@ams/contract/messages/explain';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { contractMessages } from '../../platform/i18n.ts';
import { adListPath } from '../../platform/paths.ts';
import { toast } from '../../platform/toast.ts';
import { Button } from '../../ui/Button.tsx';
import { useFormat } from '../../ui/format.ts';
import { NextIcon, SendIcon } from '../../ui/icons.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { machineCountQuery } from '../releases.api.ts';
import { DeviceTicks, TargetCard } from './DevicesStep.tsx';
import { draftOfAd, isEmpty, itemsIn, nameOf, regionNames, withItems } from './draft.ts';
import { FileChooser } from './FileChooser.tsx';
import style from './form.module.css';
import { forgetForm, keepForm } from './kept.ts';
import { LayoutTiles } from './LayoutTiles.tsx';
import { OptionsCard } from './OptionsCard.tsx';
import { scheduleIssues } from './order.ts';
import { PlaybackCard } from './PlaybackCard.tsx';
import { RegionList } from './RegionList.tsx';
import { type FormState, isChanged, sendAd, storeAd } from './save.ts';
import { StageCard } from './StageCard.tsx';
import { StepBar } from './StepBar.tsx';
import { useSteps } from './steps.ts';
import { SummaryCard } from './SummaryCard.tsx';

interface ReleaseFormProps {
  owner: User;
  start: FormState;
  /** The kind of file the form was opened for. */
  preferredType: number;
  /** Where an unsaved form waits while one is elsewhere. */
  address: string;
  /** Stands above the form. */
  notice: ReactNode;
}

type Busy = 'no' | 'saving' | 'releasing';

/** Content first, then devices: two steps, of which each is in the address so that back goes to the one before. */
export function ReleaseForm({ owner, start, preferredType, address, notice }: ReleaseFormProps) {
  const { t } = useTranslation('releases');
  const { date } = useFormat();
  const navigate = useNavigate();
  const steps = useSteps();
  const [state, setState] = useState(start);
  const [busy, setBusy] = useState<Busy>('no');
  const [choosing, setChoosing] = useState<Region>();
  const total = useQuery(machineCountQuery(owner.id));
  const keeping = useKeeping(address, state);

  const { draft, order } = state;
  const fallbackName = t('nameOn', { date: date(new Date().toISOString()) });
  const name = nameOf(draft, fallbackName);
  const nameProblem = AdName.safeParse(name).error;
  const nameError = nameProblem && explainIssues(nameProblem.issues, contractMessages())[0]?.message;
  const step = steps.wanted === 'devices' && !isEmpty(draft) && !nameError ? 'devices' : 'content';
  const setDraft = (next: FormState['draft']) => setState((before) => ({ ...before, draft: next }));
  const setOrder = (next: FormState['order']) => setState((before) => ({ ...before, order: next }));

  const toStep = (next: 'content' | 'devices') => {
    if (next === 'devices' && isEmpty(draft)) return toast.info(t('chooseFirst'));
    if (nameError) return toast.info(nameError);
    steps.to(next);
  };
  const store = async (): Promise<Ad | undefined> => {
    const stored = await storeAd({ state, ownerId: owner.id, fallbackName });
    if (stored.kind === 'failed') return undefined;
    setState((before) => ({ ...before, draft: draftOfAd(stored.ad), base: stored.ad }));
    return stored.kind === 'stored' ? stored.ad : undefined;
  };
  const leave = async (to: string) => {
    keeping.stop();
    await steps.undo();
    void navigate(to, { replace: true });
  };
  const saveOnly = async () => {
    if (isEmpty(draft)) return toast.info(t('chooseFirst'));
    if (nameError) return toast.info(nameError);
    setBusy('saving');
    const ad = await store().finally(() => setBusy('no'));
    if (!ad) return;
    toast.success(t('adSaved'));
    await leave(`${adListPath(owner)}?screen=${ad.screen}`);
  };
  const release = async () => {
    setBusy('releasing');
    const ad = await store();
    const sent = ad && (await sendAd(ad, order, owner.id));
    setBusy('no');
    if (!sent) return;
    toast.success(t('released', { count: sent.counts.total }));
    await leave(`/releases/${sent.id}`);
  };

  const count = order.target.kind === 'all' ? (total.data ?? 0) : order.target.ids.length;
  const releasable = count > 0 && scheduleIssues(order.schedule).length === 0;
  return (
    <Page
      title={state.base ? state.base.name : t('newAd')}
      back={adListPath(owner)}
      bar={<StepBar step={step} onStep={toStep} reachable={!isEmpty(draft)} />}
    >
      {notice}
      <div className={style.columns}>
        <div className={step === 'devices' ? `${style.stageColumn} ${style.onlyWide}` : style.stageColumn}>
          <StageCard draft={draft} name={name} active={choosing} onPick={setChoosing} />
        </div>
        <div className={style.formColumn}>
          {step === 'content' ? (
            <>
              <Card title={t('layout')}>
                <LayoutTiles draft={draft} onChange={setDraft} />
              </Card>
              {regionNames(draft).map((region) => (
                <RegionList
                  key={region}
                  region={region}
                  items={itemsIn(draft, region)}
                  onChange={(items) => setDraft(withItems(draft, region, items))}
                  onChoose={() => setChoosing(region)}
                />
              ))}
              <PlaybackCard
                draft={draft}
                fallbackName={fallbackName}
                nameError={nameError}
                screen={order.screen}
                onChange={setDraft}
                onScreen={(screen) => setOrder({ ...order, screen })}
              />
            </>
          ) : (
            <>
              <SummaryCard draft={draft} name={name} onChange={() => toStep('content')} />
              <TargetCard
                owner={owner}
                total={total.data ?? 0}
                order={order}
                dual={draft.dual}
                onTarget={(target) => setOrder({ ...order, target })}
              />
              <OptionsCard order={order} onChange={setOrder} />
              {order.target.kind === 'chosen' && (
                <DeviceTicks
                  owner={owner}
                  total={total.data ?? 0}
                  order={order}
                  dual={draft.dual}
                  onTarget={(target) => setOrder({ ...order, target })}
                />
              )}
            </>
          )}
        </div>
      </div>
      <footer className={style.foot}>
        <Button loading={busy === 'saving'} disabled={busy === 'releasing'} onClick={() => void saveOnly()}>
          {t('saveOnly')}
        </Button>
        {step === 'content' ? (
          <Button look="primary" icon={<NextIcon className="turns" />} onClick={() => toStep('devices')}>
            {t('toDevices')}
          </Button>
        ) : (
          <Button
            look="primary"
            icon={<SendIcon />}
            loading={busy === 'releasing'}
            disabled={!releasable || busy === 'saving'}
            onClick={() => void release()}
          >
            {count > 0 ? t('releaseTo', { count }) : t('release')}
          </Button>
        )}
      </footer>
      {choosing && (
        <FileChooser
          owner={owner}
          screen={draft.screen}
          split={draft.split}
          region={choosing}
          items={itemsIn(draft, choosing)}
          preferredType={preferredType}
          onClose={() => setChoosing(undefined)}
          onDone={(items) => {
            setDraft(withItems(draft, choosing, items));
            setChoosing(undefined);
          }}
        />
      )}
    </Page>
  );
}

/** Keeps an unsaved form for when one comes back; `stop` once it is saved. */
function useKeeping(address: string, state: FormState) {
  const latest = useRef<FormState | undefined>(state);
  const stopped = useRef(false);
  useEffect(() => {
    latest.current = state;
  }, [state]);
  useEffect(
    () => () => {
      const last = latest.current;
      if (!stopped.current && last && isChanged(last) && !isEmpty(last.draft)) keepForm(address, last);
      else forgetForm(address);
    },
    [address],
  );
  return { stop: () => (stopped.current = true) };
}

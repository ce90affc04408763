import type { Region, User } from '@ams/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { adListPath } from '../../platform/paths.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { CampaignIcon, NextIcon, SendIcon } from '../../ui/layout/icons.ts';
import { ActionList } from '../../ui/layout/Menu.tsx';
import { Card, Page } from '../../ui/layout/Page.tsx';
import { ConflictSheet } from '../../ads/editor/ConflictSheet.tsx';
import { TargetCard } from '../../releases/form/TargetCard.tsx';
import { isEmpty, itemsIn, regionNames, withItems } from '../../ads/editor/draft.ts';
import { FileChooser } from '../../ads/editor/FileChooser.tsx';
import style from './ReleaseForm.module.css';
import { SplitChoice } from '../../ads/editor/SplitChoice.tsx';
import { OptionsCard } from '../../releases/form/OptionsCard.tsx';
import { ScreenChoice } from '../../releases/form/ScreenChoice.tsx';
import type { Target } from '../../releases/form/order.ts';
import { PlaybackCard } from '../../ads/editor/PlaybackCard.tsx';
import { RegionList } from '../../ads/editor/RegionList.tsx';
import { RolloutCard } from '../../releases/form/RolloutCard.tsx';
import type { FormState } from './save.ts';
import type { Place } from '../../ui/form/kept.ts';
import { PreviewCard } from '../../ads/editor/PreviewCard.tsx';
import { StepBar } from './StepBar.tsx';
import { SummaryCard } from '../../ads/editor/SummaryCard.tsx';
import { type ReleaseFormHandle, useReleaseForm } from './useReleaseForm.ts';

interface ReleaseFormProps {
  owner: User;
  start: FormState;
  /** The kind of file the form was opened for. */
  preferredType: number;
  /** Where the unsaved form waits while the user is on another page. */
  place: Place<FormState>;
  /** Stands above the form. */
  notice: ReactNode;
}

/** Content first, then devices: two steps, of which each is in the address so that back goes to the one before. */
export function ReleaseForm({ owner, start, preferredType, place, notice }: ReleaseFormProps) {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  const form = useReleaseForm(owner, start, place);
  const [choosing, setChoosing] = useState<Region>();
  const { draft, step } = form;
  const stageClass = step === 'devices' ? `${style.stageColumn} ${style.onlyWide}` : style.stageColumn;
  return (
    <Page
      title={form.base ? form.base.name : t('newAd')}
      back={adListPath(owner)}
      bar={<StepBar step={step} onStep={form.toStep} reachable={!isEmpty(draft)} />}
    >
      {notice}
      <div className={style.columns}>
        <div className={stageClass}>
          <PreviewCard draft={draft} name={form.name.text} active={choosing} onPick={setChoosing} />
        </div>
        <div className={style.formColumn}>
          {step === 'content' ? (
            <ContentStep form={form} onChoose={setChoosing} />
          ) : (
            <DevicesStep form={form} owner={owner} />
          )}
          <ActionList items={[{ text: common('newCampaign'), icon: <CampaignIcon />, run: form.newCampaign }]} />
        </div>
      </div>
      <Foot form={form} />
      {form.theirs && (
        <ConflictSheet
          mine={draft}
          myName={form.name.text}
          theirs={form.theirs}
          onMine={() => form.settle('mine')}
          onTheirs={() => form.settle('theirs')}
          onClose={form.cancelConflict}
        />
      )}
      {choosing && (
        <FileChooser
          owner={owner}
          orientation={draft.orientation}
          split={draft.split}
          region={choosing}
          items={itemsIn(draft, choosing)}
          preferredType={preferredType}
          onClose={() => setChoosing(undefined)}
          onDone={(items) => {
            form.setDraft(withItems(draft, choosing, items));
            setChoosing(undefined);
          }}
        />
      )}
    </Page>
  );
}

function ContentStep({ form, onChoose }: { form: ReleaseFormHandle; onChoose: (region: Region) => void }) {
  const { t } = useTranslation('releases');
  const { draft, order, setDraft, setOrder } = form;
  return (
    <>
      <Card title={t('split')}>
        <SplitChoice draft={draft} onChange={setDraft} />
      </Card>
      {regionNames(draft).map((region) => (
        <RegionList
          key={region}
          region={region}
          items={itemsIn(draft, region)}
          onChange={(items) => setDraft(withItems(draft, region, items))}
          onChoose={() => onChoose(region)}
        />
      ))}
      <PlaybackCard
        draft={draft}
        name={form.name.text}
        nameError={form.name.error}
        onChange={setDraft}
        dualChoice={<ScreenChoice value={order.screen} onChange={(screen) => setOrder({ ...order, screen })} />}
      />
    </>
  );
}

/** Devices before options: where it goes matters more than how. */
function DevicesStep({ form, owner }: { form: ReleaseFormHandle; owner: User }) {
  const { draft, order, setOrder } = form;
  return (
    <>
      <SummaryCard draft={draft} name={form.name.text} onChange={() => form.toStep('content')} />
      <TargetCard
        owner={owner}
        orientation={draft.orientation}
        ad={form.base}
        count={form.count}
        order={order}
        dual={draft.dual}
        onTarget={(target: Target) => setOrder({ ...order, target })}
        onStanding={(standing) => setOrder({ ...order, standing })}
      />
      <RolloutCard value={order.rollout} count={form.count} onChange={(rollout) => setOrder({ ...order, rollout })} />
      <OptionsCard order={order} onChange={setOrder} />
    </>
  );
}

/** The next step, and a button to save the ad without releasing it. */
function Foot({ form }: { form: ReleaseFormHandle }) {
  const { t } = useTranslation('releases');
  const { busy, count, step } = form;
  return (
    <footer className={style.foot}>
      <Button loading={busy === 'saving'} disabled={busy === 'releasing'} onClick={form.saveOnly}>
        {t('saveDraft')}
      </Button>
      {step === 'content' ? (
        <Button look="primary" icon={<NextIcon className="turns" />} onClick={() => form.toStep('devices')}>
          {t('toDevices')}
        </Button>
      ) : (
        <Button
          look="primary"
          icon={<SendIcon />}
          loading={busy === 'releasing'}
          disabled={!form.releasable || busy === 'saving'}
          onClick={form.release}
        >
          {count > 0 ? t('releaseTo', { count }) : t('release')}
        </Button>
      )}
    </footer>
  );
}

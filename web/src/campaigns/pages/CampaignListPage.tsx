import { type Campaign, CAMPAIGN_STATES, type CampaignState } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLive } from '../../platform/live.ts';
import { useSession } from '../../platform/session.ts';
import { type CampaignListFilter, campaignsQuery, refreshCampaigns } from '../../queries/campaigns.ts';
import { pickableUsersQuery, userQuery } from '../../queries/users.ts';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { FieldFrame, TextControl } from '../../ui/form/Field.tsx';
import { UserPicker } from '../../ui/form/UserPicker.tsx';
import { oneOf, useAddressFilter } from '../../ui/layout/address.ts';
import { Button, ButtonLink, IconButton } from '../../ui/layout/Button.tsx';
import { AgendaIcon, CheckIcon, CrossIcon, LevelsIcon, PlusIcon, TableIcon, UsersIcon } from '../../ui/layout/icons.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { useDesk } from '../../ui/layout/wide.ts';
import { Chips } from '../../ui/list/Chips.tsx';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { SearchBar } from '../../ui/list/SearchBar.tsx';
import { CampaignBadge } from '../CampaignBadge.tsx';
import style from '../campaigns.module.css';
import { CampaignTable } from '../CampaignTable.tsx';
import { ProgressBar } from '../progress/ProgressBar.tsx';
import { useCampaignWords, useFlightDays } from '../words.ts';

const FILTERS = ['q', 'state', 'customer', 'from', 'to', 'short'] as const;

const STATE_TEXT = {
  draft: 'stateDraft',
  requested: 'stateRequested',
  rejected: 'stateRejected',
  booked: 'stateBooked',
  cancelled: 'stateCancelled',
} as const satisfies Record<CampaignState, string>;

/** `/campaigns`: campaigns in scope; in the query `q`, `state`, `customer`, and days `from` and `to`. */
export default function CampaignListPage() {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { leading } = useSession();
  const filter = useAddressFilter(FILTERS);
  const wanted = wantedBy(filter.values);
  const desk = useDesk();
  useLive('campaign', (ids) => void refreshCampaigns(ids));
  const add = (
    <ButtonLink to="/campaigns/new" look="primary" small={desk} icon={<PlusIcon />}>
      {common('newCampaign')}
    </ButtonLink>
  );
  const approvals = leading && (
    <ButtonLink to="/approvals" small={desk} icon={<CheckIcon />}>
      {common('approvals')}
    </ButtonLink>
  );
  const figures = (
    <>
      <ButtonLink to="/revenue" small icon={<TableIcon />}>
        {common(leading ? 'revenue' : 'costs')}
      </ButtonLink>
      {leading && (
        <ButtonLink to="/occupancy" small icon={<AgendaIcon />}>
          {common('occupancy')}
        </ButtonLink>
      )}
    </>
  );
  const list = {
    label: common('menuCampaigns'),
    empty: { title: t('empty'), hint: t('emptyHint'), action: add },
    filter,
  };
  return (
    <Page
      title={common('menuCampaigns')}
      back="/ad"
      desk={desk}
      actions={
        desk && (
          <>
            {figures}
            {approvals}
            {add}
          </>
        )
      }
      bar={<Bar filter={filter} state={wanted.state} />}
    >
      <Chosen filter={filter} />
      {!desk && <div className={style.buttons}>{figures}</div>}
      {!desk && approvals}
      {!desk && add}
      {desk ? (
        <CampaignTable wanted={wanted} {...list} />
      ) : (
        <InfiniteList
          query={campaignsQuery(wanted)}
          rowHeight={124}
          minColumn={340}
          render={(campaign) => <CampaignCard campaign={campaign} />}
          {...list}
        />
      )}
    </Page>
  );
}

type Filter = ReturnType<typeof useAddressFilter<(typeof FILTERS)[number]>>;

const dayOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;

/** What the address asks for; days and states that are none ask for nothing. */
const wantedBy = ({ q, state, customer, from, to, short }: Filter['values']): CampaignListFilter => ({
  q,
  customer,
  state: oneOf(CAMPAIGN_STATES, state),
  from: dayOf(from),
  to: dayOf(to),
  short: short === 'true' || undefined,
});

function Bar({ filter, state }: { filter: Filter; state: CampaignState | undefined }) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <div className={style.bar}>
      <SearchBar value={filter.values.q ?? ''} onSearch={(q) => filter.set({ q })} placeholder={t('search')}>
        <IconButton label={t('filters')} icon={<LevelsIcon />} expanded={open} onClick={() => setOpen(true)} />
      </SearchBar>
      <Chips
        label={common('status')}
        value={state}
        onChange={(value) => filter.set({ state: value })}
        options={[
          { value: undefined, label: common('all') },
          ...CAMPAIGN_STATES.map((value) => ({ value, label: t(STATE_TEXT[value]) })),
        ]}
      />
      {open && <FilterSheet filter={filter} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** The period, and for leading users the customer. */
function FilterSheet({ filter, onClose }: { filter: Filter; onClose: () => void }) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { leading } = useSession();
  const ids = [useId(), useId()] as const;
  const [picking, setPicking] = useState(false);
  if (picking) {
    return (
      <UserPicker
        query={pickableUsersQuery}
        title={t('customer')}
        onClose={() => setPicking(false)}
        onPick={({ id }) => {
          filter.set({ customer: id });
          onClose();
        }}
      />
    );
  }
  return (
    <Dialog kind="sheet" title={t('filters')} onClose={onClose}>
      {leading && (
        <Button icon={<UsersIcon />} onClick={() => setPicking(true)}>
          {t('customer')}
        </Button>
      )}
      <FieldFrame id={ids[0]} label={t('flightFrom')}>
        <TextControl
          id={ids[0]}
          type="date"
          value={filter.values.from ?? ''}
          onChange={(from) => filter.set({ from })}
        />
      </FieldFrame>
      <FieldFrame id={ids[1]} label={t('flightTo')}>
        <TextControl id={ids[1]} type="date" value={filter.values.to ?? ''} onChange={(to) => filter.set({ to })} />
      </FieldFrame>
      <Button look="primary" onClick={onClose}>
        {common('done')}
      </Button>
    </Dialog>
  );
}

/** Filters of the sheet that are on, each with the way to end it. */
function Chosen({ filter }: { filter: Filter }) {
  const { t } = useTranslation();
  const { t: campaigns } = useTranslation('campaigns');
  const { customer } = filter.values;
  const [from, to] = [dayOf(filter.values.from), dayOf(filter.values.to)];
  const days = useFlightDays();
  const isShort = filter.values.short === 'true';
  if (!customer && !from && !to && !isShort) return null;
  const [first, last] = [from ?? to, to ?? from];
  const period = first && last ? days({ schedule: { from: first, to: last } }) : '';
  return (
    <p className={style.filters}>
      {customer && <CustomerFilter id={customer} onRemove={() => filter.set({ customer: undefined })} />}
      {isShort && (
        <Button small icon={<CrossIcon />} onClick={() => filter.set({ short: undefined })}>
          {campaigns('shortFilter')}
        </Button>
      )}
      {(from ?? to) && (
        <Button small icon={<CrossIcon />} onClick={() => filter.set({ from: undefined, to: undefined })}>
          {from && to ? period : from ? t('fromDay', { date: period }) : t('untilDay', { date: period })}
        </Button>
      )}
    </p>
  );
}

function CustomerFilter({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { t } = useTranslation('campaigns');
  const { data } = useQuery(userQuery(id));
  return (
    <Button small icon={<CrossIcon />} onClick={onRemove}>
      {data ? `${t('customer')}: ${data.username}` : t('customer')}
    </Button>
  );
}

function CampaignCard({ campaign }: { campaign: Campaign }) {
  const { goal, price } = useCampaignWords();
  const days = useFlightDays();
  return (
    <Link to={`/campaigns/${campaign.id}`} className={style.card} data-testid="campaign" data-state={campaign.state}>
      <span className={style.head}>
        <strong dir="auto">{campaign.name}</strong>
        <CampaignBadge campaign={campaign} />
      </span>
      <span className="caption">
        <bdi>{campaign.customer.username}</bdi> · <bdi>{days(campaign)}</bdi>
      </span>
      <span className="caption">
        <bdi>{goal(campaign.goal)}</bdi> · <bdi>{price(campaign.price)}</bdi>
      </span>
      <ProgressBar campaign={campaign} />
    </Link>
  );
}

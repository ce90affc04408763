import type { MediaFile } from '@ams/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { isApiError } from '../../platform/api.ts';
import { useLive } from '../../platform/live.ts';
import { useSession } from '../../platform/session.ts';
import { useAddressFilter } from '../../ui/layout/address.ts';
import { ButtonLink, IconButton } from '../../ui/layout/Button.tsx';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { ButtonRow } from '../../ui/layout/ButtonRow.tsx';
import { Selectable } from '../../ui/list/select/SelectMark.tsx';
import { SearchBar } from '../../ui/list/SearchBar.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { StorageUse } from '../../ui/feedback/StorageUse.tsx';
import { type Kept, askToDelete } from '../actions.ts';
import { type FileListFilter, type FileSort, filesQuery, refreshFiles } from '../../queries/files.ts';
import { ChosenFiles } from '../ChosenFiles.tsx';
import { KeptDialog } from '../KeptDialog.tsx';
import { KindTabs } from '../KindTabs.tsx';
import { posterRatio } from '../kinds.ts';
import { userQuery } from '../../queries/users.ts';
import { useDefaultQuota } from '../../queries/settings.ts';
import { useDesk } from '../../ui/layout/wide.ts';
import { FileCard } from '../FileCard.tsx';
import { FileTable, useFileSort } from '../FileTable.tsx';
import { type Owner, type Place, kindOf, placeOf, releasePath, uploadPath } from '../place.ts';
import { Preview } from '../Preview.tsx';
import { usePreviewAddress } from '../previewAddress.ts';
import { SendIcon, SelectIcon, UploadIcon } from '../../ui/layout/icons.ts';
import { useSelection } from '../../ui/list/select/selection.ts';
import style from '../files.module.css';

const COLUMN = 156;
/** Height of the words under a poster. */
const WORDS = 84;

export default function FileListPage() {
  const { t } = useTranslation('files');
  const params = useParams();
  const { id = '' } = params;
  const { leading, current } = useSession();
  const known = params.username ?? (current?.id === id ? current.username : undefined);
  const asked = useQuery(userQuery(id));
  const defaultQuota = useDefaultQuota();
  const owner = { id, username: known ?? asked.data?.username ?? '' };
  const title = current?.id === id ? t('ownFiles') : owner.username && t('filesOf', { username: owner.username });
  const back = leading ? '/file' : undefined;
  if (isApiError(asked.error, 'NOT_FOUND')) {
    return (
      <Page title={title} {...(back !== undefined && { back })}>
        <ErrorState error={asked.error} onRetry={() => asked.refetch()} />
      </Page>
    );
  }
  return (
    <OwnedFiles
      owner={owner}
      place={placeOf(params)}
      title={title}
      storage={asked.data && <StorageUse user={asked.data} defaultQuota={defaultQuota} />}
      back={back}
    />
  );
}

interface OwnedFilesProps {
  owner: Owner;
  place: Place;
  title: string;
  /** How much of the quota is used. */
  storage: ReactNode;
  /** A member has no list of owners to go back to. */
  back: string | undefined;
}

function useOwnedFiles(filter: FileListFilter, sort: FileSort) {
  const [kept, setKept] = useState<Kept[]>([]);
  const { selection, ...select } = useSelection(JSON.stringify([filter, sort]));
  const listed = useInfiniteQuery(filesQuery(filter, sort)).data?.pages.flatMap(({ items }) => items) ?? [];
  useLive('file', refreshFiles);
  const remove = async (files: readonly MediaFile[]): Promise<boolean> => {
    const left = await askToDelete(files);
    if (left === undefined) return false;
    setKept(left);
    select.end();
    return left.length === 0;
  };
  return { kept, forgetKept: () => setKept([]), selection, select, listed, remove };
}

/** The listed files of these ids, in the order of the ids. */
const chosenIn = (listed: readonly MediaFile[], ids: ReadonlySet<string>): MediaFile[] =>
  [...ids].flatMap((id) => listed.find((file) => file.id === id) ?? []);

function OwnedFiles({ owner, place, title, storage, back }: OwnedFilesProps) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const search = useAddressFilter(['q']);
  const preview = usePreviewAddress();
  const kind = kindOf(place);
  const filter = { owner: owner.id, orientation: kind.orientation, kind: kind.kind, q: search.values.q };
  const desk = useDesk();
  const sort = useFileSort();
  const { kept, forgetKept, selection, select, listed, remove } = useOwnedFiles(filter, desk ? sort.sort : undefined);
  const selecting = selection.mode === 'on';
  const chosen = selecting ? chosenIn(listed, selection.ids) : [];
  const key = `${owner.id} ${kind.orientation} ${kind.kind}`;
  const list = {
    label: t('list'),
    empty: { title: t('empty'), hint: t('emptyHint') },
    filter: search,
  };
  const searchBar = (
    <SearchBar value={search.values.q ?? ''} onSearch={(q) => search.set({ q })} placeholder={t('searchFiles')} />
  );
  const buttons = (
    <ButtonRow>
      <ButtonLink to={uploadPath(owner, place)} look="primary" small icon={<UploadIcon />}>
        {t('upload')}
      </ButtonLink>
      <ButtonLink to={releasePath(owner, kind)} small icon={<SendIcon />}>
        {t('release')}
      </ButtonLink>
    </ButtonRow>
  );

  return (
    <Page
      title={title}
      {...(back !== undefined && { back })}
      desk={desk}
      actions={
        desk ? (
          <>
            {searchBar}
            {buttons}
          </>
        ) : (
          listed.length > 0 &&
          !selecting && (
            <IconButton changes label={common('select')} icon={<SelectIcon />} onClick={() => select.choose([])} />
          )
        )
      }
    >
      <div className={style.place}>
        <KindTabs owner={owner} place={place} />
        {storage && <div className="caption">{storage}</div>}
      </div>
      {!desk && (
        <div className={style.tools}>
          {buttons}
          {searchBar}
        </div>
      )}
      {desk ? (
        <FileTable
          key={key}
          query={filesQuery(filter, sort.sort)}
          sort={sort}
          chosen={{
            has: (file) => selecting && selection.ids.has(file),
            choose: (files) => (files.length > 0 ? select.choose(files.map((file) => file.id)) : select.end()),
          }}
          onDelete={(file) => remove([file])}
          {...list}
        />
      ) : (
        <Selectable selecting={selecting}>
          <InfiniteList
            key={key}
            query={filesQuery(filter)}
            rowHeight={COLUMN / posterRatio(kind) + WORDS}
            minColumn={COLUMN}
            render={(file) => (
              <FileCard
                file={file}
                selected={selecting ? selection.ids.has(file.id) : undefined}
                onOpen={() => preview.open(file.id)}
                onToggle={() => select.toggle(file.id)}
                onDelete={() => void remove([file])}
              />
            )}
            {...list}
          />
        </Selectable>
      )}
      {selecting && (
        <ChosenFiles
          files={chosen}
          total={listed.length}
          releasePath={(ids) => releasePath(owner, kind, ids)}
          onAll={() => select.choose(listed.map((file) => file.id))}
          onEnd={select.end}
          onDelete={() => void remove(chosen)}
        />
      )}
      {preview.shown !== undefined && (
        <Preview
          id={preview.shown}
          listed={listed}
          onShow={preview.replace}
          onClose={preview.close}
          onDelete={(file) => void remove([file]).then((gone) => gone && preview.close())}
        />
      )}
      {kept.length > 0 && <KeptDialog kept={kept} onClose={forgetKept} />}
    </Page>
  );
}

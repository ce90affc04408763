import { deviceLabel, formatMac, type SearchHit, type SearchKind, teamIdOf } from '@ams/contract';
import type { ComponentType } from 'react';
import { adListPath, filesPath } from '../platform/paths.ts';
import { joined } from '../ui/format/bidi.ts';
import { CampaignIcon, FolderIcon, PlaylistIcon, ScreenIcon, SendIcon, UsersIcon } from '../ui/layout/icons.ts';

/** A row of the palette: where it leads, and what is written on it. */
export interface Entry {
  id: string;
  to: string;
  icon: ComponentType;
  title: string;
  note: string;
}

interface Words {
  role: (role: 'leading' | 'member') => string;
  released: (at: string) => string;
  withdrawn: string;
}

export const KIND_ICON: Record<SearchKind, ComponentType> = {
  device: ScreenIcon,
  user: UsersIcon,
  ad: PlaylistIcon,
  file: FolderIcon,
  release: SendIcon,
  campaign: CampaignIcon,
};

/** SPEC's number of the tab of split pictures. */
const SPLIT_TAB = 2;
const TAB_OF = { image: 0, video: 1 } as const;
const FIRST_SPLIT_KIND = 3;

/** The file opened in its list; the tab follows from the kind at the end of the address. */
function filePath(hit: Extract<SearchHit, { kind: 'file' }>): string {
  const tab = hit.fileKind >= FIRST_SPLIT_KIND ? SPLIT_TAB : TAB_OF[hit.media];
  return `${filesPath(hit.owner)}/${tab}/0/0/${teamIdOf(hit.orientation)}/${hit.fileKind}?preview=${hit.id}`;
}

/** The ad in the list of its owner, whose numbers the list fetches. */
function adPath({ name, orientation, owner }: Extract<SearchHit, { kind: 'ad' }>): string {
  const list = adListPath({ ...owner, mp4: 0, img: 0, ad_num: 0 });
  return `${list}?${new URLSearchParams({ orientation, q: name }).toString()}`;
}

/** What a hit looks like, and where it leads. */
export function entryOf(hit: SearchHit, words: Words): Entry {
  const { kind, id } = hit;
  const entry = { id: `${kind} ${id}`, icon: KIND_ICON[kind] };
  switch (kind) {
    case 'device':
      return { ...entry, to: `/mac/${id}`, title: deviceLabel(hit), note: noteOf(hit.name && formatMac(hit.mac), hit) };
    case 'user':
      return { ...entry, to: `/user/${id}`, title: hit.username, note: words.role(hit.role) };
    case 'ad':
      return { ...entry, to: adPath(hit), title: hit.name, note: hit.owner.username };
    case 'file':
      return { ...entry, to: filePath(hit), title: hit.name, note: hit.owner.username };
    case 'release': {
      const at = hit.withdrawn ? words.withdrawn : words.released(hit.releasedAt);
      return { ...entry, to: `/releases/${id}`, title: hit.adName, note: noteOf(at, hit) };
    }
    case 'campaign':
      return { ...entry, to: `/campaigns/${id}`, title: hit.name, note: hit.owner.username };
  }
}

const noteOf = (first: string, { owner }: { owner: { username: string } }): string => joined([first, owner.username]);

import {
  type Ad,
  type AdQr,
  type DeviceChoice,
  GO_ON_AT_DEFAULT,
  type Priority,
  type Programme,
  type Schedule,
  type Screen,
  type Stages,
  STOP_ABOVE_DEFAULT,
} from '@ams/contract';

/** An ad as it is stored, without how far it reaches: counting its devices takes long when they are many. */
export type StoredAd = Omit<Ad, 'devices' | 'outdatedDevices' | 'changedSinceRelease' | 'releasedAt'>;

/** How an ad is released: to which devices, and how it plays there. */
export interface Order {
  devices: DeviceChoice;
  standing?: boolean | undefined;
  screen?: Screen | null | undefined;
  replace: boolean;
  priority: Priority;
  schedule?: Schedule | null | undefined;
  /** When a takeover ends; null before it starts. */
  endsAt?: Date | null;
  stages?: Stages | null | undefined;
  goOnAt: number;
  stopAbove: number;
}

/** The frozen part of a programme: all that does not belong to the release itself. */
export type FrozenAd = Pick<
  Programme,
  'orientation' | 'split' | 'playMode' | 'showClock' | 'fit' | 'muted' | 'background' | 'regions'
> & { qr?: AdQr };

/** A frozen ad and the files it needs, in the order in which they are needed first. */
export interface Frozen {
  programme: FrozenAd;
  files: { id: string; sha256: string; bytes: number; mime: string }[];
}

/** Default content never plays once: the screen would stay black afterwards. */
export const playingOn = ({ programme, files }: Frozen): Frozen => ({
  programme: programme.playMode === 'once' ? { ...programme, playMode: 'sequence' } : programme,
  files,
});

/** An order without steps: all devices at once. */
export const ONE_STEP = { goOnAt: GO_ON_AT_DEFAULT, stopAbove: STOP_ABOVE_DEFAULT };

/** What a release belongs to: the request whose id it gets, or a campaign. */
export interface Named {
  id?: string;
  campaignId?: string;
}

/** In whose name a release is sent, and in whose scope it is standing; null: it is not. */
export interface People {
  operatorId: string;
  standingBy: string | null;
}

import type { InstalledApp, OfferedApp } from '@ams/contract';
import type { RawBuilder } from 'kysely';
import type { StandingLinks } from '../devices/enrolment.service.ts';
import type { Signer } from '../platform/auth/signing.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';

/** An offer without its address, which is signed for each request. */
export type UnsignedOffer = Omit<OfferedApp, 'url'>;

/** Functions of other features that players need: given where the features are put together. */
export interface PlayerLinks extends StandingLinks {
  /** The offer to a device of the alias `d`, as JSON. */
  offerOfManifest(): RawBuilder<UnsignedOffer | null>;
  signOffer(offer: UnsignedOffer, signer: Signer, now?: number): OfferedApp;
  /** The version that a device that runs `installed` should install, or null. */
  offerApp(deps: Pick<Deps, 'db' | 'signer'>, deviceId: string, installed: InstalledApp): Promise<OfferedApp | null>;
  /** After a report changed how far a device's content is: rollouts whose step it may end are checked. */
  deliveryChanged(db: Db, deviceId: string): Promise<void>;
  /** Sets the start of this device's releases to `since` where it is later than `latest`. */
  correctStarts(trx: Db, deviceId: string, since: Date, latest: Date): Promise<unknown>;
}

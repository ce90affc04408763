import { type Ad, teamIdOf } from '@ams/contract';

/** The form of an ad, whose second step is `devices`. */
export const adFormPath = (ad: Pick<Ad, 'id' | 'owner' | 'orientation'>, step?: 'devices'): string =>
  `/release/${ad.owner.id}/${teamIdOf(ad.orientation)}/2?ad=${ad.id}${step ? `&step=${step}` : ''}`;

import type { Media } from '@ams/contract';
import type { ComponentType } from 'react';
import { FilmIcon, PictureIcon } from './icons.ts';

const ICONS: Record<Media, ComponentType> = { image: PictureIcon, video: FilmIcon };

/** Stands for a file of this media. */
export function MediaIcon({ media }: { media: Media }) {
  const Icon = ICONS[media];
  return <Icon />;
}

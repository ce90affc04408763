/** The home page and what surrounds all pages after signing in, in one module: each that is imported alone is a file more. */
export { startOffline } from '../platform/offline.ts';
export { default as HomePage } from '../home/pages/HomePage.tsx';
export { Shell } from './Shell.tsx';

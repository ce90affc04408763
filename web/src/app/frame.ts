/** What surrounds the pages of somebody who is signed in, in one module: each that is imported alone is a file more. */
export { startOffline } from '../platform/offline.ts';
export { Shell } from './Shell.tsx';

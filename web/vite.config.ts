import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { calls } from './calls.ts';
import { compress } from './compress.ts';
import { preloads } from './preloads.ts';
import { schemas } from './schemas.ts';
import { slim } from './slim.ts';
import { verifyPage } from './verify/plugin.ts';

/** Where `vite dev` finds the server. */
const server = process.env['AMS_SERVER'] ?? 'http://127.0.0.1:3000';

/** Libraries that every page needs; own code that evaluates them before that of the pages. */
const BASE =
  /node_modules\/(react|react-dom|scheduler|react-router|cookie-es|i18next|react-i18next|axios)\/|platform\/root\.ts$/;

/** Icons of the pages before signing in, by Lucide's file names. */
const FIRST_ICONS = 'check|ellipsis|eye|eye-off|globe|rotate-cw|triangle-alert|x';

/** Icons of the frame and the home page. */
const FRAME_ICONS = [
  'alarm-clock-off|arrow-down|ban|bell|calendar|chevron-left|chevron-right|clock|folder|house|key-round',
  'log-out|megaphone|monitor|package|pause|phone|search|settings|shield-check|square-play|users|wifi-off|zap',
].join('|');

/** Icons of the other pages. */
const PAGE_ICONS = new RegExp(`node_modules/lucide-react/dist/esm/icons/(?!(${FIRST_ICONS}|${FRAME_ICONS})\\.)`);

/** Own parts that the pages before signing in use as well: as files of their own they would be two dozen small ones. */
const SHARED = new RegExp(
  [
    '^calls:session$',
    'node_modules/zustand/',
    // The machinery of the icons, and the few drawings that these pages show.
    `node_modules/lucide-react/dist/esm/(?!icons/(?!(${FIRST_ICONS})\\.))`,
    'contract/src/(languages|kernel/(client|errors)|messages/explain)\\.ts$',
    'web/src/app/(ErrorPage|failures|guard|NotFoundPage|Root|theme)\\.\\w+$',
    'web/src/session/(captcha|destination|SessionFrame|Street|pages/LoginPage)\\.tsx?$',
    'web/src/queries/session\\.ts$',
    'web/src/session/(session|Street)\\.module\\.css$',
    'web/src/platform/(api|call|chunks|constants|headers|i18n|intl|kept|language|log|paths|session|storage|task|theme|toast)\\.ts$',
    // The module that a page begins with: as a file of its own it would be mostly headers.
    'web/src/(main|platform/zod)\\.tsx?$',
    'web/src/ui/(feedback/(confirm|ConfirmHost|Dialog|pending|Skeleton|States|Toast)|form/(Field|fields|form|kept|LanguagePicker|typed)|layout/(Button|icons|Menu))(\\.module\\.css|\\.tsx?)$',
  ].join('|'),
);

/** Frame of every page after login, beginning with the home page. */
const FRAME = new RegExp(
  [
    '^calls:(campaigns|colleagues|devices|home|releases|takeovers|users)$',
    'contract/src/(home|rules/(mac|zone))\\.ts$',
    'node_modules/(@tanstack/(query-core|react-query)|eventsource-parser|lucide-react)/',
    'web/src/(app/(frame|Shell|menu|palette|account/AccountMenu)|home/(?!FirstReleased|StorageNotice).*|queries/(approvals|colleagues|home|keys|takeovers|users))(\\.module)?\\.\\w+$',
    'web/src/platform/(concerns|idle|live|offline|online|query)\\.ts$',
    'web/src/ui/(chart/Chart|feedback/(SecondFactorState|StateBadge)|form/(Choice|ThemeChoice)|format/(bidi|format|time)|layout/(Avatar|DeviceLabel|Page|palette|wide)|list/(Concerns|deviceConcerns|SearchButton)|transfer/IndicatorPlace)(\\.module\\.css|\\.tsx?)$',
    'web/src/ui/(list/Thumbnail|transfer/indicator)\\.module\\.css$',
  ].join('|'),
);

/** Copying and QR codes: neither the frame nor the home page needs them once there are devices. */
const HANDED_ON = /web\/src\/ui\/layout\/(CopyButton|copy\.ts|QrImage\.)/;

/** Lists, beginning with that of devices: what their pages share. */
const LISTS = new RegExp(
  [
    '^calls:(ads|batches|files|groups)$',
    'node_modules/@tanstack/(react-virtual|virtual-core)/',
    'contract/src/(ads|devices|player|vocabulary|kernel/(name|page)|rules/(cells|clock|expiry|filter|lead|tags|verdict))\\.ts$',
    'web/src/queries/(ads|conditions|devices|groups|row)\\.ts$',
    'web/src/ui/(feedback/Notice|form/UserPicker|layout/(BackTop|ButtonRow|address|printing)|list/(Chips|InfiniteList|left|range|PullToRefresh|RemovableChip|SearchBar|VirtualRows|rested|select/.*|table/.*)|transfer/(Bar|Indicator))(\\.module\\.css|\\.tsx?)$',
    'web/src/devices/(dates|truths|batch/(batchOfOne|useBatch|words)|filters/address|sheets/export)\\.ts$',
    'web/src/devices/(batch/BatchProgress|CopyMac|DeviceCard|ScreenPicture|Truths|VerdictLine)(\\.module\\.css|\\.tsx?)$',
    'web/src/(devices/batch/batch|ui/transfer/transfer)\\.module\\.css$',
  ].join('|'),
);

/** Schemas of forms. */
const SCHEMAS = /\?schemas$|node_modules\/zod\//;

/** Own parts outside of pages; those of several pages are in one file, not in dozens of small ones. */
const PARTS = /(contract|web)\/src\/(?!.*\/pages\/)/;
const SEVERAL = 5;

/** Campaigns and the form of releases, which share fields. */
const FORMS =
  /web\/src\/(campaigns\/|app\/(campaign|release)\/|releases\/form\/|ads\/editor\/|ui\/form\/(ScheduleFields|scheduleDraft))/;

/**
 * The service worker keeps a file only if it is that of its own version: during an update, a process that serves another
 * one may answer, and the app would start from a page whose script nobody has.
 */
const withHashes = async <E extends { url: string }>(entries: E[]) => ({
  manifest: await Promise.all(
    entries.map(async (entry) => {
      const file = await readFile(new URL(`dist/${entry.url}`, import.meta.url));
      return { ...entry, integrity: `sha256-${createHash('sha256').update(file).digest('base64')}` };
    }),
  ),
});

export default defineConfig({
  plugins: [
    react(),
    calls(),
    schemas(),
    slim(),
    preloads(),
    verifyPage(),
    VitePWA({
      // Registered by the app itself once somebody signed in (platform/offline.ts): no inline script.
      injectRegister: false,
      registerType: 'autoUpdate',
      workbox: {
        globPatterns: ['**/*.{js,css,html,svg}'],
        // A page of its own for people without an account.
        globIgnores: ['verify.html', 'verify-sw.js'],
        navigateFallback: '/index.html',
        // Files are the server's to answer, as pages have neither an extension nor a leading dot.
        navigateFallbackDenylist: [
          /^\/(api|media|player|share|q|health|ready|metrics)(\/|$)/,
          /^\/(\.|[^?]*\.[a-z\d]{1,12}(\?|$))/i,
        ],
        cleanupOutdatedCaches: true,
        manifestTransforms: [withHashes],
      },
      manifest: {
        name: 'Advertising Management System',
        short_name: 'AMS',
        description: 'Manage advertising displays: devices, files, ads and users.',
        id: '/',
        start_url: '/',
        display: 'standalone',
        background_color: '#f4f6fa',
        theme_color: '#2f5bea',
        icons: [
          { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
          { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
      },
    }),
    compress(),
  ],
  build: {
    // A strict Content-Security-Policy allows no data: scripts or inline styles from files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Code of every page is in one file; the rest is split by route.
      output: {
        // The login page loads the names of all files: hashes alone make it a kilobyte lighter.
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: 'base', test: BASE },
            { name: 'shared', test: SHARED },
            { name: 'icons', test: PAGE_ICONS, includeDependenciesRecursively: false },
            // Without what its modules import: of the contract that would be every schema, and zod.
            // One file for both: the login page loads the names of all files.
            { name: 'forms', test: FORMS, includeDependenciesRecursively: false },
            { name: 'frame', test: FRAME, includeDependenciesRecursively: false },
            { name: 'handed-on', test: HANDED_ON, includeDependenciesRecursively: false },
            { name: 'lists', test: LISTS, includeDependenciesRecursively: false },
            { name: 'schemas', test: SCHEMAS, includeDependenciesRecursively: false },
            { name: 'parts', test: PARTS, minShareCount: SEVERAL, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': server, '/media': server } },
});

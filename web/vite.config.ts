import react from '@vitejs/plugin-react';
import { Mode } from 'postcss-rtlcss/options';
import rtlcss from 'postcss-rtlcss';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

/** Where `vite dev` finds the server. */
const server = process.env['AMS_SERVER'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [
    react(),
    VitePWA({
      // Registered by the app itself once somebody signed in (platform/offline.ts): no inline script.
      injectRegister: false,
      registerType: 'autoUpdate',
      workbox: {
        globPatterns: ['**/*.{js,css,html,svg}'],
        navigateFallback: '/index.html',
        navigateFallbackDenylist: [/^\/(api|media|player|health|ready|metrics)(\/|$)/],
        cleanupOutdatedCaches: true,
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
  ],
  // Other packages bring an older React to the root; two copies do not work together.
  resolve: { dedupe: ['react', 'react-dom'] },
  css: {
    postcss: {
      // antd-mobile's style uses physical left and right; our own uses logical properties, which this leaves alone.
      plugins: [rtlcss({ mode: Mode.override })],
    },
  },
  build: {
    // A strict Content-Security-Policy allows no data: scripts or inline styles from files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': server, '/media': server } },
});

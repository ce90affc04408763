import react from '@vitejs/plugin-react';
import { Mode } from 'postcss-rtlcss/options';
import rtlcss from 'postcss-rtlcss';
import { defineConfig } from 'vite';

/** Where `vite dev` finds the server. */
const server = process.env['AMS_SERVER'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [react()],
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

import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { compress } from './build/compress.ts';
import { leanZod } from './build/lean-zod.ts';
import { pureContract } from './build/pure-contract.ts';

/** Modules that do something by being loaded; all others only offer what is imported from them. */
const ACTIVE = /\/player\/(index\.html|src\/(main|platform\/zod|store\/media\.worker)\.ts|src\/player\.css)/;

/** The address of the server for `vite dev`. */
const server = process.env['AMS_SERVER'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  base: '/player/',
  server: { proxy: { '/api': { target: server, ws: true }, '/media': server, '/health': server } },
  build: {
    target: 'es2022',
    // Half a KiB smaller than with Vite's own minifier; copies of a function take more than its calls.
    minify: 'terser',
    terserOptions: { compress: { passes: 3, inline: 1 } },
    // All files lie in the service worker's cache.
    modulePreload: false,
    // The contract is one table of schemas for everybody; a device carries only its own.
    rolldownOptions: { treeshake: { moduleSideEffects: (id) => ACTIVE.test(id) } },
  },
  worker: { format: 'es' },
  plugins: [
    {
      name: 'script-before-first-paint',
      // The browser keeps the previous page on screen until the script shows that page's last frame.
      transformIndexHtml: {
        order: 'post',
        handler: (html) => html.replace('<script type="module"', '$& blocking="render"'),
      },
    },
    leanZod(),
    pureContract(),
    compress(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src',
      filename: 'sw.ts',
      injectRegister: false,
      injectManifest: { globPatterns: ['**/*.{js,css,html,svg}'] },
      manifest: {
        name: 'Advertising Management System · Player',
        short_name: 'Player',
        start_url: '/player/',
        scope: '/player/',
        display: 'fullscreen',
        background_color: '#0b1020',
        theme_color: '#0b1020',
        icons: [{ src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
      },
    }),
  ],
});

import { setDefaultConfig, unstableSetRender } from 'antd-mobile';
import i18next from 'i18next';
import { createRoot } from 'react-dom/client';
import { shownPack } from './i18n.ts';

// antd-mobile 5 draws its imperative dialogs with an API that React 19 took away; this is its documented substitute.
unstableSetRender((node, container) => {
  const root = createRoot(container);
  root.render(node);
  return async () => {
    await Promise.resolve();
    root.unmount();
  };
});

async function speak(): Promise<void> {
  setDefaultConfig({ locale: await shownPack().widgets() });
}

i18next.on('languageChanged', () => void speak());

/** Makes antd-mobile ready: its drawing on this React, its texts in the language shown. */
export const widgetsReady: Promise<void> = speak();

import { createRoot, type Root } from 'react-dom/client';

/**
 * A place for React in the document. This module is bundled with the libraries: React is then evaluated with them, in a
 * task before that of the app.
 */
export const makeRoot = (place: Element): Root => createRoot(place);

import { create } from 'zustand';

/** Whether the command palette is shown. */
export const usePalette = create<{ open: boolean }>(() => ({ open: false }));

export const showPalette = (open: boolean): void => usePalette.setState({ open });

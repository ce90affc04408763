import { create } from 'zustand';

/** Whether the command palette is shown, and what is searched for: it can be typed before the field is there. */
export const usePalette = create<{ open: boolean; text: string }>(() => ({ open: false, text: '' }));

export const showPalette = (open: boolean): void => usePalette.setState({ open, text: '' });

export const searchFor = (text: string): void => usePalette.setState({ text });

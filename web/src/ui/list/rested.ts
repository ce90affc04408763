import { useEffect, useState } from 'react';
import { TYPING_PAUSE } from './SearchBar.tsx';

/** `text` once it has rested for as long as a list waits before it searches. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text.trim()), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

import { Button } from './Button.tsx';
import { useCopy } from './copy.ts';
import { CopyIcon } from './icons.ts';

/** Copies `text` and says `said`. */
export function CopyButton({ text, label, said }: { text: string; label: string; said: string }) {
  const copy = useCopy();
  return (
    <Button small icon={<CopyIcon />} onClick={() => copy(text, said)}>
      {label}
    </Button>
  );
}

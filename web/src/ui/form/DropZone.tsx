import { type ReactNode, useState } from 'react';

interface DropZoneProps {
  className: string | undefined;
  onDrop: (files: readonly File[]) => void;
  children: ReactNode;
}

/** Takes files that are dropped on it; `data-over` while some are held above it. */
export function DropZone({ className, onDrop, children }: DropZoneProps) {
  const [over, setOver] = useState(false);
  return (
    <div
      className={className}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const files = [...event.dataTransfer.files];
        if (files.length > 0) onDrop(files);
      }}
    >
      {children}
    </div>
  );
}

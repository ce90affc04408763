import { useRef } from 'react';
import { Button, type ButtonProps } from '../layout/Button.tsx';

type Look = Pick<ButtonProps, 'look' | 'icon' | 'block' | 'loading' | 'takesFocus' | 'children'>;

interface FileButtonProps extends Look {
  /** Name of the file field; the button labels it for screen readers. */
  name: string;
  /** As the `accept` attribute of an input: formats and media types, with commas. */
  accept: string;
  multiple?: boolean;
  /** Opens the camera at once where there is one. */
  camera?: boolean;
  onChoose: (files: readonly File[]) => void;
}

/** A button that lets a person choose files of this phone or computer; also the same ones again. */
export function FileButton({ name, accept, multiple, camera, onChoose, ...look }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        capture={camera ? 'environment' : undefined}
        data-testid={name}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          if (files.length > 0) onChoose(files);
        }}
      />
      <Button {...look} onClick={() => input.current?.click()} />
    </>
  );
}

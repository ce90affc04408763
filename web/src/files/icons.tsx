import type { ReactNode, SVGProps } from 'react';

/** Signs of this feature, in the weight of those in `ui/icons`. */
const draw = (shape: ReactNode) =>
  function Icon(props: SVGProps<SVGSVGElement>) {
    return (
      <svg
        width="1em"
        height="1em"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
        {...props}
      >
        {shape}
      </svg>
    );
  };

export const RenameIcon = draw(
  <path d="m14.5 6 3.5 3.5M5 19l.8-4L16 4.8a1.5 1.5 0 0 1 2.1 0l1.1 1.1a1.5 1.5 0 0 1 0 2.1L9 18.2Z" />,
);
export const UploadIcon = draw(<path d="M12 16V5M7 9.5 12 4.5l5 5M5 19.5h14" />);
export const ReleaseIcon = draw(<path d="m4 12 16-7.5-5 15.5-3.5-6Zm7.5 2L20 4.5" />);
export const CameraIcon = draw(
  <>
    <path d="M4 8.5A1.5 1.5 0 0 1 5.5 7H8l1.5-2h5L16 7h2.5A1.5 1.5 0 0 1 20 8.5v9a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5Z" />
    <circle cx="12" cy="12.8" r="3.3" />
  </>,
);
export const PauseIcon = draw(<path d="M9 6v12M15 6v12" />);
export const PlayIcon = draw(<path d="M8 5.5v13l10.5-6.5Z" />);
export const SelectIcon = draw(
  <>
    <rect x="4" y="4" width="16" height="16" rx="4" />
    <path d="m8 12.3 2.8 2.8L16 9.8" />
  </>,
);

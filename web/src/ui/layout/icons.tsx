import type { ReactNode, SVGProps } from 'react';

/** One set of signs in one weight, on a 24-unit grid; the size and colour are those of the text around. */
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

export const CheckIcon = draw(<path d="m5 12.5 4.5 4.5L19 7.5" />);
export const FailIcon = draw(
  <>
    <path d="M12 4 2.8 19.5h18.4Z" />
    <path d="M12 10v4.5M12 17v.01" />
  </>,
);
export const CrossIcon = draw(<path d="m6 6 12 12M18 6 6 18" />);
export const BackIcon = draw(<path d="m14.5 5-7 7 7 7" />);
export const NextIcon = draw(<path d="m9.5 5 7 7-7 7" />);
export const BoltIcon = draw(<path d="M13 3.5 5.5 13.5H11l-1 7 7.5-10H12Z" />);
export const AndroidIcon = draw(
  <>
    <path d="M4 16.5a8 8 0 0 1 16 0v1.5H4ZM7.5 10 5.5 6.5M16.5 10l2-3.5" />
    <path d="M9 14v.01M15 14v.01" />
  </>,
);
export const UpIcon = draw(<path d="M12 19V5M6 11l6-6 6 6" />);
export const DownIcon = draw(<path d="M12 5v14M6 13l6 6 6-6" />);
export const SearchIcon = draw(
  <>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4 4" />
  </>,
);
export const PlusIcon = draw(<path d="M12 5v14M5 12h14" />);
export const MoreIcon = draw(
  <g fill="currentColor" stroke="none">
    <circle cx="5" cy="12" r="1.7" />
    <circle cx="12" cy="12" r="1.7" />
    <circle cx="19" cy="12" r="1.7" />
  </g>,
);
export const ReloadIcon = draw(
  <>
    <path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.5" />
    <path d="M20 4.5v5h-5" />
  </>,
);
export const EyeIcon = draw(
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
    <circle cx="12" cy="12" r="3" />
  </>,
);
export const EyeOffIcon = draw(
  <>
    <path d="M4 4l16 16M9.9 6A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.6 3.4M6.3 7.6A15.5 15.5 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4.2-1" />
    <path d="M10 10a3 3 0 0 0 4 4" />
  </>,
);
export const GlobeIcon = draw(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M3.5 12h17M12 3.5c3 3 3 14 0 17M12 3.5c-3 3-3 14 0 17" />
  </>,
);
export const BellIcon = draw(<path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15ZM10 21h4" />);
export const KeyIcon = draw(
  <>
    <circle cx="8" cy="15.5" r="4" />
    <path d="m11 12.5 8-8M16 7.5l3 3" />
  </>,
);
export const ShieldIcon = draw(
  <path d="M12 3.5 5 6v5.5c0 4.3 2.9 7.4 7 9 4.1-1.6 7-4.7 7-9V6zM9 12l2.2 2.2L15.2 10" />,
);
export const LogoutIcon = draw(
  <path d="M14 4.5H6.5a1 1 0 0 0-1 1v13a1 1 0 0 0 1 1H14M10.5 12H20M17 8.5l3.5 3.5-3.5 3.5" />,
);
export const HomeIcon = draw(<path d="M4 11.5 12 4.5l8 7V19a1 1 0 0 1-1 1h-4.5v-5.5h-5V20H5a1 1 0 0 1-1-1Z" />);
export const UsersIcon = draw(
  <>
    <circle cx="9" cy="8.5" r="3.5" />
    <path d="M2.5 19.5c.5-3.5 3-5.5 6.5-5.5s6 2 6.5 5.5M15.5 5.3a3.5 3.5 0 0 1 0 6.4M18 14.5c2 .7 3.2 2.4 3.5 5" />
  </>,
);
export const ScreenIcon = draw(
  <>
    <rect x="3.5" y="4.5" width="17" height="12" rx="2" />
    <path d="M12 16.5V20M8.5 20h7" />
  </>,
);
export const PlaylistIcon = draw(
  <>
    <rect x="3.5" y="5" width="17" height="14" rx="2.5" />
    <path d="M10.3 9.2v5.6l4.7-2.8Z" />
  </>,
);
export const FolderIcon = draw(
  <path d="M3.5 7a1.5 1.5 0 0 1 1.5-1.5h4.2l2 2.5H19A1.5 1.5 0 0 1 20.5 9.5V17a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 17Z" />,
);
export const FilmIcon = draw(
  <>
    <rect x="3.5" y="5.5" width="17" height="13" rx="2" />
    <path d="M8 5.5v13M16 5.5v13M3.5 12h17" />
  </>,
);
export const PictureIcon = draw(
  <>
    <rect x="3.5" y="4.5" width="17" height="15" rx="2" />
    <circle cx="9" cy="9.5" r="1.5" />
    <path d="m4 17 5-4.5 3.5 3 3-2.5 4.5 4" />
  </>,
);
export const ClockIcon = draw(
  <>
    <circle cx="12" cy="12" r="8" />
    <path d="M12 7.5V12l3 2" />
  </>,
);
export const HistoryIcon = draw(
  <>
    <path d="M4.5 5v4.5H9M4.9 9.5A8 8 0 1 1 4 13" />
    <path d="M12 8v4.5l3 2" />
  </>,
);
export const ExpiredIcon = draw(
  <>
    <circle cx="12" cy="12" r="8" />
    <path d="M12 7.5V12l3 2M4 4l16 16" />
  </>,
);
export const PhoneIcon = draw(
  <path d="M6 4h3l1.5 4.5L8.5 10c1 2.5 3 4.5 5.5 5.5l1.5-2L20 15v3c0 1-1 2-2 2C10.5 20 4 13.5 4 6c0-1 1-2 2-2Z" />,
);
export const TrashIcon = draw(<path d="M5 7h14M10 7V4.5h4V7M6.5 7l1 12.5h9L17.5 7M10.3 10.5v5.5M13.7 10.5v5.5" />);
export const ForbidIcon = draw(
  <>
    <circle cx="12" cy="12" r="8" />
    <path d="m6.5 6.5 11 11" />
  </>,
);
export const TicketIcon = draw(
  <path d="M4 7.5a1 1 0 0 1 1-1h14a1 1 0 0 1 1 1V10a2 2 0 0 0 0 4v2.5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V14a2 2 0 0 0 0-4ZM14.5 7v10" />,
);
export const ShareIcon = draw(<path d="M12 15V4M8 7.5 12 3.5l4 4M5.5 11.5V19a1 1 0 0 0 1 1h11a1 1 0 0 0 1-1v-7.5" />);
export const CopyIcon = draw(
  <>
    <rect x="8.5" y="8.5" width="11" height="11" rx="2" />
    <path d="M15.5 5.5a1 1 0 0 0-1-1H5.5a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1" />
  </>,
);
export const TableIcon = draw(
  <>
    <rect x="4" y="4.5" width="16" height="15" rx="2" />
    <path d="M4 9.5h16M4 14.5h16M10 9.5v10" />
  </>,
);
export const PlayIcon = draw(<path d="M8 5.5v13l10.5-6.5Z" fill="currentColor" />);
export const PencilIcon = draw(<path d="m4.5 19.5 1-4L16 5l3 3L8.5 18.5ZM14 7l3 3" />);
export const CalendarIcon = draw(
  <>
    <rect x="4" y="5.5" width="16" height="14" rx="2" />
    <path d="M4 10h16M8.5 3.5v4M15.5 3.5v4" />
  </>,
);
export const ScanIcon = draw(
  <path d="M4.5 8.5V6A1.5 1.5 0 0 1 6 4.5h2.5M15.5 4.5H18A1.5 1.5 0 0 1 19.5 6v2.5M19.5 15.5V18a1.5 1.5 0 0 1-1.5 1.5h-2.5M8.5 19.5H6A1.5 1.5 0 0 1 4.5 18v-2.5M4 12h16" />,
);
export const CameraIcon = draw(
  <>
    <path d="M4 8.5A1.5 1.5 0 0 1 5.5 7H8l1.5-2.5h5L16 7h2.5A1.5 1.5 0 0 1 20 8.5V17a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17Z" />
    <circle cx="12" cy="12.5" r="3.3" />
  </>,
);
export const KeyboardIcon = draw(
  <>
    <rect x="3.5" y="6" width="17" height="12" rx="2" />
    <path d="M7 10h.1M10.4 10h.1M13.7 10h.1M17 10h.1M8 14h8" />
  </>,
);
export const DiskIcon = draw(
  <>
    <ellipse cx="12" cy="6.5" rx="7.5" ry="2.8" />
    <path d="M4.5 6.5v11c0 1.5 3.4 2.8 7.5 2.8s7.5-1.3 7.5-2.8v-11M4.5 12c0 1.5 3.4 2.8 7.5 2.8s7.5-1.3 7.5-2.8" />
  </>,
);
export const PauseIcon = draw(<path d="M8.5 5.5v13M15.5 5.5v13" />);
export const ExpandIcon = draw(<path d="M14 4.5h5.5V10M10 19.5H4.5V14M19.5 4.5 13.5 10.5M4.5 19.5l6-6" />);
export const GripIcon = draw(<path d="M5 9h14M5 15h14" />);
export const SendIcon = draw(<path d="M20.5 4 10.5 14M20.5 4l-6.3 17-3.7-7-7-3.7Z" />);
export const WithdrawIcon = draw(<path d="M9 6.5 4.5 11 9 15.5M5 11h9.5a5 5 0 0 1 0 10H11" />);
export const UploadIcon = draw(<path d="M12 16V5M7 9.5 12 4.5l5 5M5 19.5h14" />);
export const SelectIcon = draw(
  <>
    <rect x="4" y="4" width="16" height="16" rx="4" />
    <path d="m8 12.3 2.8 2.8L16 9.8" />
  </>,
);

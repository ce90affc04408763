/** Interface defaults of the specification. Times are milliseconds, distances CSS pixels. */

export const REQUEST_TIMEOUT = 5000;
export const TOAST_DURATION = 2000;
/** How long a change can be undone by its toast. */
export const UNDO_DURATION = 10_000;
export const LOGOUT_DELAY = 2000;
export const CHUNK_TIMEOUT = 120_000;

export const OVERLAY_Z_INDEX = 2000;
/** A touch that moves less is a tap. */
export const TAP_DISTANCE = 5;
/** A drag that moves more keeps its axis. */
export const DIRECTION_LOCK = 10;
export const LONG_PRESS = 500;
export const SWIPE_DURATION = 500;
export const PICKER_OPTION_HEIGHT = 44;
export const PICKER_VISIBLE_OPTIONS = 6;
/** The date picker reaches this many years back and ahead. */
export const DATE_RANGE_YEARS = 10;
export const BACK_TOP_OFFSET = 200;
export const SCROLL_THROTTLE = 100;

/** From this width on the bottom bar becomes a side bar. */
export const WIDE_SCREEN = 768;
/** From this width on lists are tables with a panel for details beside them. */
export const DESK_SCREEN = 1024;
export const LIST_PAGE_SIZE = 50;

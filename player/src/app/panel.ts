import type { Host } from '../platform/host.ts';

/** The settings of a device's screen and loudspeakers: levels in percent, null to leave them as they are. */
export interface PanelState {
  isOn: boolean;
  brightness: number | null;
  volume: number | null;
}

export interface Panel {
  /** Applies what differs from the last state. */
  set(state: PanelState): void;
}

/** At brightness 0 a little light is left, as a backlight leaves it. */
const DARKEST = 0.9;

/** Sets power, brightness and volume through the host. Without `setBrightness` it darkens the page instead. */
export function makePanel(host: Pick<Host, 'panel'>, overlay: HTMLElement): Panel {
  let known: Partial<PanelState> = {};
  return {
    set(state) {
      const { setPower, setBrightness, setVolume } = host.panel;
      if (state.isOn !== known.isOn) setPower?.(state.isOn);
      if (state.brightness !== known.brightness) {
        if (!setBrightness) overlay.style.opacity = String(DARKEST * (1 - (state.brightness ?? 100) / 100));
        else if (state.brightness !== null) setBrightness(state.brightness);
      }
      if (state.volume !== known.volume && state.volume !== null) setVolume?.(state.volume);
      known = state;
    },
  };
}

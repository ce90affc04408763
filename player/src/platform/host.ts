import { type OfferedApp, parseMac } from '@ams/contract';
import type { Log } from './log.ts';

/**
 * The functions that an app around the player may offer as `window.AMSHost` (docs/host-app.md). All are
 * functions of texts and numbers, as Android's `addJavascriptInterface` needs; each may be missing.
 */
interface HostObject {
  /** The device's true MAC. */
  mac?(): string;
  /** Package name and version code of the app. */
  package?(): string;
  code?(): number;
  /**
   * Downloads, checks and installs an APK; returns at once. The app reports the result by the event `ams-install`
   * on `window`, whose `detail` is an empty text or the reason of the failure.
   */
  installApp?(url: string, sha256: string): void;
  /** The same; `signer` is the SHA-256 of the certificate that the APK must have. Takes the place of `installApp`. */
  installSignedApp?(url: string, sha256: string, signer: string): void;
  /** Restarts the app or the device. */
  restart?(): void;
  /**
   * Takes a picture of the real screen; returns at once. The app reports it by the event `ams-screenshot` on `window`,
   * whose `detail` is a JPEG or PNG in Base64, or an empty text.
   */
  takeScreenshot?(): void;
  /** Turns the display on or off. */
  setPower?(on: boolean): void;
  /** Backlight of the display in percent. */
  setBrightness?(percent: number): void;
  /** Volume of the device in percent. */
  setVolume?(percent: number): void;
}

declare global {
  interface Window {
    AMSHost?: HostObject;
  }
}

/** An app for the host to download and verify. */
export type InstallableApp = Pick<OfferedApp, 'url' | 'sha256' | 'signer'>;

export interface Host {
  mac: string | undefined;
  installed: { package: string; code: number } | undefined;
  /** Resolves with the reason of the failure, or undefined when the app is installed (and about to restart). */
  install: ((app: InstallableApp, signal: AbortSignal) => Promise<string | undefined>) | undefined;
  /** False if the host did not take the order. */
  restart: (() => boolean) | undefined;
  /** Resolves with the picture of the real screen, or undefined when there is none in time. */
  screenshot: (() => Promise<Blob | undefined>) | undefined;
  panel: {
    setPower?: ((on: boolean) => void) | undefined;
    setBrightness?: ((percent: number) => void) | undefined;
    setVolume?: ((percent: number) => void) | undefined;
  };
}

const INSTALL_EVENT = 'ams-install';
const SCREENSHOT_EVENT = 'ams-screenshot';
const SCREENSHOT_MS = 15_000;

/** Undefined if the text is empty or no Base64. */
function pictureOf(base64: unknown): Blob | undefined {
  try {
    return typeof base64 === 'string' && base64 !== ''
      ? new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))])
      : undefined;
  } catch {
    return undefined;
  }
}

/** The picture that the host reports after `take`; undefined when `take` fails, and when it is late or there is none. */
function hostScreenshot(window: Window, take: () => boolean): Promise<Blob | undefined> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(SCREENSHOT_MS);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
    const onPicture = (event: Event) => {
      resolve(event instanceof CustomEvent ? pictureOf(event.detail) : undefined);
    };
    window.addEventListener(SCREENSHOT_EVENT, onPicture, { once: true, signal });
    if (!take()) resolve(undefined);
  });
}

/**
 * Functions of the host, each optional: a host may be older or newer than this player. One that throws, as Android does
 * without a permission, is logged and stops nothing.
 */
export function hostOf(window: Window, log: Log): Host {
  const host = window.AMSHost;
  const attempt = <T>(name: keyof HostObject, call: () => T): T | undefined => {
    try {
      return call();
    } catch (error) {
      log('error', `host ${name}: ${String(error)}`);
      return undefined;
    }
  };
  const isTaken = (name: keyof HostObject, call: () => void): boolean =>
    attempt(name, () => {
      call();
      return true;
    }) ?? false;
  const mac = attempt('mac', () => host?.mac?.());
  const name = attempt('package', () => host?.package?.());
  const code = attempt('code', () => host?.code?.());
  return {
    mac: parseMac(mac ?? ''),
    installed: typeof name === 'string' && typeof code === 'number' ? { package: name, code } : undefined,
    // The bridge's functions must be called on the bridge.
    restart: host?.restart && (() => isTaken('restart', () => host.restart?.())),
    screenshot:
      host?.takeScreenshot &&
      (() => hostScreenshot(window, () => isTaken('takeScreenshot', () => host.takeScreenshot?.()))),
    panel: {
      setPower: host?.setPower && ((on) => attempt('setPower', () => host.setPower?.(on))),
      setBrightness:
        host?.setBrightness && ((percent) => attempt('setBrightness', () => host.setBrightness?.(percent))),
      setVolume: host?.setVolume && ((percent) => attempt('setVolume', () => host.setVolume?.(percent))),
    },
    install:
      host &&
      (host.installSignedApp ?? host.installApp) &&
      (({ url, sha256, signer }, signal) =>
        new Promise((resolve) => {
          const onEnd = (event: Event) =>
            resolve(event instanceof CustomEvent && event.detail ? String(event.detail) : undefined);
          window.addEventListener(INSTALL_EVENT, onEnd, { once: true, signal });
          signal.addEventListener('abort', () => resolve('no answer'), { once: true });
          // A function of a bridge is known by the number of its arguments: an older host has the shorter one.
          if (host.installSignedApp) host.installSignedApp(url, sha256, signer);
          else host.installApp?.(url, sha256);
        })),
  };
}

import type { DeviceScreen, Manifest, OfferedApp, Screen, SigningKey, StatusMessage } from '@ams/contract';
import type { PlayBatch } from '../store/ports.ts';

export type ManifestReply =
  | { kind: 'fresh'; manifest: Manifest; etag: string | null }
  | { kind: 'same' }
  | { kind: 'unpaired' }
  | { kind: 'failed'; reason: string; retryAfterMs: number | undefined };

export type EnrolReply =
  | { kind: 'pairing'; code: string; qr: string; expiresIn: number }
  | { kind: 'paired' }
  | { kind: 'failed'; code: number; message: string; retryAfterMs: number | undefined };

/** `rejected`: the plays that do not count, as text for the log. */
export type SendReply =
  | { kind: 'accepted'; rejected?: string | undefined }
  | { kind: 'refused'; code: number }
  /** The signature is not that of the registered key. */
  | { kind: 'unverified' }
  | { kind: 'unpaired' | 'failed' };

export interface EnrolRequest {
  mac: string;
  enrolmentKey?: string;
  /** Undefined: the device does not know them, and the server keeps those that it has. */
  screens?: DeviceScreen[] | undefined;
  /** Undefined: the device does not know it. */
  timeZone?: string | undefined;
  player: { version: string; kind: string };
  publicKey?: SigningKey;
}

/** The server as a device sees it. Nothing here rejects but `media` and `app`, which do when the network fails. */
export interface PlayerApi {
  enrol(request: EnrolRequest): Promise<EnrolReply>;
  manifest(etag: string | null): Promise<ManifestReply>;
  /** `url` as in the manifest. Resolves with the response whatever its status. */
  media(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response>;
  plays(batch: PlayBatch): Promise<SendReply>;
  status(message: StatusMessage): Promise<SendReply>;
  /** The version of its app that a device should install; rejects without an answer. */
  app(installed: { package: string; code: number }): Promise<OfferedApp | null>;
  /** Sends a JPEG of what a screen shows. */
  screenshot(screen: Screen, picture: Blob): Promise<SendReply>;
}

/** The part of `WebSocket` that a connection uses. */
export interface Socket {
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

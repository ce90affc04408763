import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import sharp, { type Sharp } from 'sharp';
import { prepareZXingModule, writeBarcode, type WriterOptions } from 'zxing-wasm/writer';

/** Codes as devices show them on their screens and labels, drawn for tests. */

export const WHITE = '#ffffff';

/** One of the package's WebAssembly modules: in Node there is no address to fetch it from. */
export async function wasmOf(part: 'reader' | 'writer'): Promise<ArrayBuffer> {
  const file = createRequire(import.meta.url).resolve(`zxing-wasm/${part}/zxing_${part}.wasm`);
  return new Uint8Array(await readFile(file)).buffer;
}

let prepared: Promise<ArrayBuffer> | undefined;

async function draw(text: string, options: WriterOptions, width: number): Promise<Sharp> {
  prepareZXingModule({ overrides: { wasmBinary: await (prepared ??= wasmOf('writer')) } });
  const { svg } = await writeBarcode(text, { addQuietZones: true, ...options });
  return sharp(Buffer.from(svg)).resize({ width, kernel: 'nearest' }).flatten({ background: WHITE });
}

/** `width` in pixels, with the white border that belongs to it. */
export const drawQr = (text: string, width = 400, options: WriterOptions = {}): Promise<Sharp> =>
  draw(text, { format: 'QRCode', scale: 8, ...options }, width);

export async function drawCode128(text: string): Promise<Sharp> {
  const bars = await draw(text, { format: 'Code128', scale: 3 }, 700);
  return bars.extend({ top: 40, bottom: 40, left: 40, right: 40, background: WHITE });
}

import { SCREENSHOT_MAX_BYTES } from '@ams/contract';
import { type Box, type Size, fitting, reduction } from './fitting.ts';

const LONGEST = 1280;
/** Tried one after the other until the picture is small enough to be taken. */
const QUALITIES = [0.82, 0.6, 0.35, 0.15];

const SVG = 'http://www.w3.org/2000/svg';

function sizeOf(media: Element): Size {
  if (media instanceof HTMLVideoElement) return { width: media.videoWidth, height: media.videoHeight };
  if (media instanceof HTMLImageElement) return { width: media.naturalWidth, height: media.naturalHeight };
  return { width: 0, height: 0 };
}

/** Position on the page before rotation. */
function boxOf(media: HTMLElement): Box {
  const box = { x: 0, y: 0, width: media.offsetWidth, height: media.offsetHeight };
  for (let at: Element | null = media; at instanceof HTMLElement && at !== document.body; at = at.offsetParent) {
    box.x += at.offsetLeft;
    box.y += at.offsetTop;
  }
  return box;
}

/** Draws the stage's videos and pictures from bottom to top on their background. */
function drawStage(context: CanvasRenderingContext2D): void {
  for (const media of document.querySelectorAll<HTMLVideoElement | HTMLImageElement>('#stage video, #stage img')) {
    const box = boxOf(media);
    const { backgroundColor, objectFit } = getComputedStyle(media);
    context.fillStyle = backgroundColor;
    context.fillRect(box.x, box.y, box.width, box.height);
    const fitted = fitting(sizeOf(media), box, objectFit);
    if (!fitted) continue;
    const { from, to } = fitted;
    context.drawImage(media, from.x, from.y, from.width, from.height, to.x, to.y, to.width, to.height);
  }
}

/** Every rule that styles this page. */
const styles = (): string =>
  Array.from(document.styleSheets)
    .flatMap((sheet) => Array.from(sheet.cssRules))
    .map((rule) => rule.cssText)
    .join('\n');

/** Content above the stage (clock, hint, a page of the player) as a drawable picture. */
function overlaySource({ width, height }: Size): string {
  const root = document.createElementNS(SVG, 'svg');
  root.setAttribute('width', String(width));
  root.setAttribute('height', String(height));
  // It replaces the page's root, whose background would hide the stage.
  root.style.background = 'none';
  const { lang, dir } = document.documentElement;
  const frame = document.createElementNS(SVG, 'foreignObject');
  frame.setAttribute('width', '100%');
  frame.setAttribute('height', '100%');
  const style = document.createElement('style');
  style.textContent = styles();
  const body = document.createElement('div');
  Object.assign(body, { lang, dir });
  body.style.cssText = 'position:relative;width:100%;height:100%;container-type:size';
  for (const element of document.querySelectorAll('body > :not(#stage, #shade, script, [hidden])')) {
    body.append(element.cloneNode(true));
  }
  frame.append(style, body);
  root.append(frame);
  // A data address: the canvas would be closed to reading after a drawing from anywhere else.
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(root))}`;
}

async function drawOverlay(context: CanvasRenderingContext2D, size: Size): Promise<void> {
  const overlay = new Image();
  overlay.src = overlaySource(size);
  await overlay.decode();
  context.drawImage(overlay, 0, 0, size.width, size.height);
}

/** A canvas for a picture of this size, scaled down so that its longer side has at most `longest` pixels. */
function makeCanvas(size: Size, longest: number): CanvasRenderingContext2D | null {
  const scale = reduction(size, longest);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(size.width * scale));
  canvas.height = Math.max(1, Math.round(size.height * scale));
  const context = canvas.getContext('2d');
  context?.scale(scale, scale);
  return context;
}

const toJpeg = (canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));

/** The picture as a JPEG within the server's limits; undefined if none is small enough. */
async function compress(canvas: HTMLCanvasElement): Promise<Blob | undefined> {
  for (const quality of QUALITIES) {
    const picture = await toJpeg(canvas, quality);
    if (picture && picture.size <= SCREENSHOT_MAX_BYTES) return picture;
  }
  return undefined;
}

/** Current picture of this window as `compress` returns it. `longest`: of its sides, in pixels. */
export async function captureScreen(longest = LONGEST): Promise<Blob | undefined> {
  const size = { width: document.body.clientWidth, height: document.body.clientHeight };
  const context = makeCanvas(size, longest);
  if (!context) return undefined;
  context.fillStyle = '#000';
  context.fillRect(0, 0, size.width, size.height);
  drawStage(context);
  await drawOverlay(context, size);
  return compress(context.canvas);
}

/** A picture of any format and size as `compress` returns it; undefined if the browser cannot read it. */
export async function reducePicture(picture: Blob): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(picture).catch(() => undefined);
  const context = bitmap && makeCanvas(bitmap, LONGEST);
  if (!context) return undefined;
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return compress(context.canvas);
}

/** Sends a file by Uppy in its default settings; resolves with the address of the upload. */
export function sendByUppy(
  endpoint: string,
  headers: Record<string, string>,
  name: string,
  type: string,
  bytes: Uint8Array,
): Promise<string>;

// Plain JavaScript: the types of Uppy bring those of the browser, which must not reach the server's.
import Uppy from '@uppy/core';
import Tus from '@uppy/tus';

export async function sendByUppy(endpoint, headers, name, type, bytes) {
  const uppy = new Uppy();
  uppy.use(Tus, { endpoint, headers });
  // In Node tus-js-client takes a Buffer, for which Uppy needs the size and type of a Blob.
  uppy.addFile({ name, type, data: Object.assign(Buffer.from(bytes), { size: bytes.length, type }) });
  const { failed = [], successful = [] } = (await uppy.upload()) ?? {};
  if (failed[0]) throw new Error(failed[0].error ?? 'failed');
  return successful[0].uploadURL;
}

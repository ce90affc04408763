/**
 * The reader of binary manifests, the part of the package that is used here; it comes without types. Its
 * reader of archives is not used: it never ends on files that are not compressed, and inflates without a limit.
 */
declare module '@devicefarmer/adbkit-apkreader/lib/apkreader/parser/manifest.js' {
  export default class ManifestParser {
    constructor(manifest: Buffer);
    /** Throws for bytes that are no binary XML. */
    parse(): unknown;
  }
}

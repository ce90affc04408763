/** A file in a cloud folder, or one that was changed or deleted since it was chosen, is listed but cannot be read. */
export const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

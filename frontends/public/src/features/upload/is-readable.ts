const READ_TIMEOUT_MS = 5_000

/** Whether the file can be read. Browsers report a deleted file, or one that is only in a cloud, as a network error. */
export const isReadable = (file: File): Promise<boolean> =>
  Promise.race([
    file
      .slice(0, 1)
      .arrayBuffer()
      .then(
        () => true,
        () => false,
      ),
    new Promise<boolean>((resolve) => setTimeout(resolve, READ_TIMEOUT_MS, true)),
  ])

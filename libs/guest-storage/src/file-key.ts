/** Identifies a file of an event by its metadata, so that it is recognised when the guest chooses it again. */
export const getFileKey = (
  eventId: string,
  { name, size, lastModified }: Pick<File, 'name' | 'size' | 'lastModified'>,
): string => [eventId, size, lastModified, name].join(' ')

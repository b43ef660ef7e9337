export const getGalleryPath = (eventId: string): string => `/gallery?eventId=${encodeURIComponent(eventId)}`

export const GALLERY_LINK_TEXT = "See everyone's photos"

export const getGalleryPath = (eventId: string): string => `/gallery?eventId=${encodeURIComponent(eventId)}`

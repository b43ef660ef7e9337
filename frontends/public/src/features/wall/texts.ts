export const texts = {
  loading: 'Loading the live wall...',
  endedTitle: 'This link no longer works',
  ended: 'Ask the organisers of the event for a new link to the live wall.',
  empty: 'Waiting for the first photo',
  scan: 'Scan to send your photos',
}

export const describeQrCode = (eventName: string): string => `QR code of the upload link of ${eventName}`

export const formatWallTitle = (eventName: string): string => `Live wall of ${eventName}`

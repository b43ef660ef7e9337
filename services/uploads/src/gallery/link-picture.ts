/** Loaded when the first picture is made: it takes 25 MB of memory. */
const loadSharp = async () => {
  const { default: sharp } = await import('sharp')
  // A picture is made at most once a minute for an event, and the memory serves uploads.
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

/** The size that social networks show without cutting a picture. */
const WIDTH = 1_200
const HEIGHT = 630
/** WhatsApp shows no larger ones. */
const MAX_BYTES = 300_000
/** The first one fits nearly all photos. */
const QUALITIES = [75, 50, 25]

/** Makes the picture that chats show beside a link from a preview: a JPEG, as some of them read no WebP. */
export const toLinkPicture = async (preview: Buffer): Promise<Buffer> => {
  const sharp = await loadSharp()
  const picture = sharp(preview)
    .resize(WIDTH, HEIGHT, { fit: 'cover', position: 'attention' })
    .flatten({ background: '#ffffff' })
  let jpeg = Buffer.alloc(0)
  for (const quality of QUALITIES) {
    jpeg = await picture.clone().jpeg({ quality }).toBuffer()
    if (jpeg.length <= MAX_BYTES) break
  }
  return jpeg
}

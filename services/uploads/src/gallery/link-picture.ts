import sharp from 'sharp'

// A picture is made at most once a minute for an event, and the memory serves uploads.
sharp.cache(false)
sharp.concurrency(1)

/** The size that social networks show without cutting a picture. */
const WIDTH = 1_200
const HEIGHT = 630

/** Makes the picture that chats show beside a link from a preview: a JPEG, as some of them read no WebP. */
export const toLinkPicture = (preview: Buffer): Promise<Buffer> =>
  sharp(preview)
    .resize(WIDTH, HEIGHT, { fit: 'cover', position: 'attention' })
    .flatten({ background: '#ffffff' })
    // Less than the 300 kB above which WhatsApp shows none.
    .jpeg({ quality: 75 })
    .toBuffer()

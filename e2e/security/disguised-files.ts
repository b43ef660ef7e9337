import { readSample, uniquePhoto } from '@confetti/test-kit'

const script = Buffer.from('<script>alert(document.domain)</script><?php system("id") ?>')
/** The second byte of the markers of JPEG segments that contain text. */
const segmentMarkers = { comment: 0xfe, xmp: 0xe1 }

/** Creates a photo with a comment or an XMP segment. */
export const jpegWithSegment = async (
  kind: keyof typeof segmentMarkers,
  segment: Buffer,
): Promise<Buffer<ArrayBuffer>> => {
  const photo = await uniquePhoto()
  const length = Buffer.of((segment.length + 2) >> 8, (segment.length + 2) & 255)
  return Buffer.concat([
    photo.subarray(0, 2),
    Buffer.of(0xff, segmentMarkers[kind]),
    length,
    segment,
    photo.subarray(2),
  ])
}

type CreateFile = () => Promise<Buffer<ArrayBuffer>>

/**
 * Photos and videos that contain something else or have a wrong name: description, file name, declared type, content,
 * detected type, and the expected end of `filename`.
 */
export const polyglotFiles: [string, string, string, CreateFile, string, RegExp][] = [
  [
    'a photo followed by an HTML page',
    'a.html',
    'text/html',
    async () => Buffer.concat([await uniquePhoto(), script]),
    'image/jpeg',
    /\.html\.jpg$/,
  ],
  [
    'a photo with a script in its comment',
    'a.php',
    'application/x-php',
    () => jpegWithSegment('comment', script),
    'image/jpeg',
    /\.php\.jpg$/,
  ],
  [
    'a video with the name and type of a photo',
    'a.jpg',
    'image/jpeg',
    () => readSample('video.mp4'),
    'video/mp4',
    /\.jpg\.mp4$/,
  ],
  [
    'a photo with the name and type of a video',
    'a.mp4',
    'video/mp4',
    () => uniquePhoto(),
    'image/jpeg',
    /\.mp4\.jpg$/,
  ],
]

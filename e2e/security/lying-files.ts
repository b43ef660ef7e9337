import { sample, uniquePhoto } from '@confetti/test-kit'

const script = Buffer.from('<script>alert(document.domain)</script><?php system("id") ?>')
/** The kinds of segments in the head of a JPEG that hold a text, by their second byte. */
const segments = { comment: 0xfe, xmp: 0xe1 }

/** A photo with a text in its head, where cameras and programs write about it. */
export const jpegWith = async (
  kind: keyof typeof segments,
  segment: Buffer,
): Promise<Buffer<ArrayBuffer>> => {
  const photo = await uniquePhoto()
  const length = Buffer.of((segment.length + 2) >> 8, (segment.length + 2) & 255)
  return Buffer.concat([
    photo.subarray(0, 2),
    Buffer.of(0xff, segments[kind]),
    length,
    segment,
    photo.subarray(2),
  ])
}

type Make = () => Promise<Buffer<ArrayBuffer>>

/** Files that are two things: what, their name, the type that they claim, the one they have, and their name in a zip. */
export const twoFacedFiles: [string, string, string, Make, string, RegExp][] = [
  [
    'a page behind a photo',
    'a.html',
    'text/html',
    async () => Buffer.concat([await uniquePhoto(), script]),
    'image/jpeg',
    /\.html\.jpg$/,
  ],
  [
    'a script in a photo’s comment',
    'a.php',
    'application/x-php',
    () => jpegWith('comment', script),
    'image/jpeg',
    /\.php\.jpg$/,
  ],
  [
    'a document behind a photo',
    'a.pdf',
    'application/pdf',
    async () => Buffer.concat([await uniquePhoto(), Buffer.from('%PDF-1.7\n')]),
    'image/jpeg',
    /\.pdf\.jpg$/,
  ],
  [
    'an archive behind a photo',
    'a.zip',
    'application/zip',
    async () => Buffer.concat([await uniquePhoto(), Buffer.from('504b0506' + '00'.repeat(18), 'hex')]),
    'image/jpeg',
    /\.zip\.jpg$/,
  ],
  [
    'a video that is named a photo',
    'a.jpg',
    'image/jpeg',
    () => sample('video.mp4'),
    'video/mp4',
    /\.jpg\.mp4$/,
  ],
  ['a photo that is named a video', 'a.mp4', 'video/mp4', () => uniquePhoto(), 'image/jpeg', /\.mp4\.jpg$/],
  [
    'a photo that is named a program',
    'a.exe',
    'application/x-msdownload',
    () => uniquePhoto(),
    'image/jpeg',
    /\.exe\.jpg$/,
  ],
]

/** Files that are none of ours, by their first bytes. */
export const foreignFiles: [string, string][] = [
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['a page before a photo', '<html>\xff\xd8\xff\xe0'],
  [
    'an SVG behind a declaration',
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  ],
  ['a document', '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'],
  ['an archive', 'PK\x03\x04\x14\0\0\0\0\0'],
  ['a program for Windows', 'MZ\x90\0\x03\0\0\0'],
  ['a program for Linux', '\x7fELF\x02\x01\x01\0'],
  ['a shell script', '#!/bin/sh\nid\n'],
  ['a playlist', '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nfile:///etc/passwd\n'],
  ['a list of files to join', 'ffconcat version 1.0\nfile /etc/passwd\n'],
  ['a Matroska video', '\x1a\x45\xdf\xa3\x93\x42\x82\x88matroska'],
  ['an AVI video', 'RIFF\0\0\0\0AVI LIST'],
  ['a TIFF', 'II*\0\x08\0\0\0\0\0\0\0'],
  ['a BMP', 'BM\0\0\0\0\0\0\0\0\0\0'],
  ['a Photoshop file', '8BPS\0\x01\0\0\0\0\0\0'],
  ['a PostScript picture', '%!PS-Adobe-3.0 EPSF-3.0\n'],
  ['an icon', '\0\0\x01\0\x01\0\x10\x10'],
  ['a JPEG XL', '\xff\x0a\xfa\x7f\x01\x90\x08\x10\x30'],
]

import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { detectMediaType } from './media-type.ts'

/** The type of each file in `samples/`. */
const mediaTypes = {
  'animated.gif': 'image/gif',
  'camera-gps.jpg': 'image/jpeg',
  'gradient.png': 'image/png',
  'iphone-13.heic': 'image/heic',
  'orientation-6.jpg': 'image/jpeg',
  'phone-jolla.jpg': 'image/jpeg',
  'photo.webp': 'image/webp',
  'small.heif': 'image/heic',
  'video.mov': 'video/quicktime',
  'video.mp4': 'video/mp4',
}

test.each(Object.entries(mediaTypes))(
  'When a file has the bytes of %s, then its type is %s',
  async (name, type) => {
    const bytes = await readFile(new URL(`../../../../samples/${name}`, import.meta.url))
    expect(await detectMediaType(bytes)).toBe(type)
  },
)

test.each(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1'])(
  'When a file is an ISO base media file of the brand %s, then it is HEIF',
  async (brand) => {
    const head = Buffer.concat([
      Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic`, 'latin1'),
      Buffer.alloc(100),
    ])
    expect(await detectMediaType(head)).toBe('image/heic')
  },
)

/** Description and first bytes. */
const unsupportedFiles: [string, string][] = [
  ['an HTML page', '<!doctype html><script>alert(1)</script>'],
  ['an HTML page followed by a photo', '<html>\xff\xd8\xff\xe0'],
  [
    'an SVG with an XML declaration',
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  ],
  ['a PDF', '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'],
  ['a ZIP', 'PK\x03\x04\x14\0\0\0\0\0'],
  ['a Windows program', 'MZ\x90\0\x03\0\0\0'],
  ['a Linux program', '\x7fELF\x02\x01\x01\0'],
  ['a shell script', '#!/bin/sh\nid\n'],
  ['an HLS playlist', '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nfile:///etc/passwd\n'],
  ['an ffconcat list', 'ffconcat version 1.0\nfile /etc/passwd\n'],
  ['a Matroska video', '\x1a\x45\xdf\xa3\x93\x42\x82\x88matroska'],
  ['an AVI video', 'RIFF\0\0\0\0AVI LIST'],
  ['a TIFF', 'II*\0\x08\0\0\0\0\0\0\0'],
  ['a BMP', 'BM\0\0\0\0\0\0\0\0\0\0'],
  ['a Photoshop file', '8BPS\0\x01\0\0\0\0\0\0'],
  ['a PostScript image', '%!PS-Adobe-3.0 EPSF-3.0\n'],
  ['an icon', '\0\0\x01\0\x01\0\x10\x10'],
  ['a JPEG XL', '\xff\x0a\xfa\x7f\x01\x90\x08\x10\x30'],
]

test.each(unsupportedFiles)(
  'When a file has the bytes of %s, then it has no accepted type',
  async (_, head) => {
    const bytes = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(5_000, ' ')])
    expect(await detectMediaType(bytes)).toBeUndefined()
  },
)

import { readSample } from '@confetti/test-kit'
import { jpegWithSegment } from './disguised-files.ts'
import { box, replaceBoxes, uint32 } from './mp4-boxes.ts'

/** Creates a record of the Mac OS Alias Manager that refers to a file by its absolute path. */
const aliasRecord = (path: string): Buffer => {
  const entry = Buffer.concat([Buffer.of(0, 2, path.length >> 8, path.length & 255), Buffer.from(path)])
  return Buffer.concat([Buffer.alloc(150), entry, Buffer.from('ffff0000', 'hex')])
}
const dataReference = (reference: Buffer) => (): Buffer => box('dref', uint32(0), uint32(1), reference)

/** Files that refer to the URL `url` or to a local file. */
export const filesWithReferences: [string, (url: string) => Promise<Buffer<ArrayBuffer>>][] = [
  [
    'refers to a URL for its media data',
    async (url) =>
      replaceBoxes(await readSample('video.mov'), 'dref', dataReference(box('url ', uint32(0), `${url}\0`))),
  ],
  [
    'refers to a local file for its media data',
    async () =>
      replaceBoxes(
        await readSample('video.mov'),
        'dref',
        dataReference(box('alis', uint32(0), aliasRecord('/etc/passwd'))),
      ),
  ],
  [
    'is a reference movie',
    (url) =>
      Promise.resolve(
        Buffer.concat([
          box('ftyp', 'qt  ', uint32(0), 'qt  '),
          box(
            'moov',
            box('rmra', box('rmda', box('rdrf', uint32(0), 'url ', uint32(url.length + 1), `${url}\0`))),
          ),
        ]),
      ),
  ],
  [
    'is a playlist after the header of a video',
    (url) =>
      Promise.resolve(
        Buffer.concat([
          box('ftyp', 'isom', uint32(0), 'isom'),
          Buffer.from(`\n#EXTM3U\n#EXTINF:1,\n${url}\nfile:///etc/passwd\n`),
        ]),
      ),
  ],
  [
    'is a photo with an external entity in its XMP',
    async (url) =>
      jpegWithSegment(
        'xmp',
        Buffer.from(
          `http://ns.adobe.com/xap/1.0/\0<!DOCTYPE x [<!ENTITY e SYSTEM "${url}">]><x:xmpmeta xmlns:x="adobe:ns:meta/">&e;</x:xmpmeta>`,
        ),
      ),
  ],
]

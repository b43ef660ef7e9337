import { sample } from '@confetti/test-kit'
import { box, uint32, withBoxes } from './boxes.ts'
import { jpegWith } from './lying-files.ts'

/** An Alias Manager record, which names a file by its whole path. */
const aliasTo = (path: string): Buffer => {
  const entry = Buffer.concat([Buffer.of(0, 2, path.length >> 8, path.length & 255), Buffer.from(path)])
  return Buffer.concat([Buffer.alloc(150), entry, Buffer.from('ffff0000', 'hex')])
}
const drefOf = (reference: Buffer) => (): Buffer => box('dref', uint32(0), uint32(1), reference)

/** Files that name another place, one at `address`, as that of what is in them. */
export const pointingFiles: [string, (address: string) => Promise<Buffer<ArrayBuffer>>][] = [
  [
    'names an address as the place of its media',
    async (address) =>
      withBoxes(await sample('video.mov'), 'dref', drefOf(box('url ', uint32(0), `${address}\0`))),
  ],
  [
    'names a file as the place of its media',
    async () =>
      withBoxes(await sample('video.mov'), 'dref', drefOf(box('alis', uint32(0), aliasTo('/etc/passwd')))),
  ],
  [
    'refers to a film elsewhere',
    (address) =>
      Promise.resolve(
        Buffer.concat([
          box('ftyp', 'qt  ', uint32(0), 'qt  '),
          box(
            'moov',
            box(
              'rmra',
              box('rmda', box('rdrf', uint32(0), 'url ', uint32(address.length + 1), `${address}\0`)),
            ),
          ),
        ]),
      ),
  ],
  [
    'is a playlist behind the head of a video',
    (address) =>
      Promise.resolve(
        Buffer.concat([
          box('ftyp', 'isom', uint32(0), 'isom'),
          Buffer.from(`\n#EXTM3U\n#EXTINF:1,\n${address}\nfile:///etc/passwd\n`),
        ]),
      ),
  ],
  [
    'is a photo whose description asks for a page',
    async (address) =>
      jpegWith(
        'xmp',
        Buffer.from(
          `http://ns.adobe.com/xap/1.0/\0<!DOCTYPE x [<!ENTITY e SYSTEM "${address}">]><x:xmpmeta xmlns:x="adobe:ns:meta/">&e;</x:xmpmeta>`,
        ),
      ),
  ],
]

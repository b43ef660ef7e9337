import { readSample } from '@confetti/test-kit'
import { madeByFfmpeg } from './files.ts'

// Writes HEIF files as phones do, from pictures that real encoders have made.

const uint16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const box = (type: string, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([uint32(content.length + 8), Buffer.from(type, 'latin1'), content])
}
/** A box that begins with its version and flags. */
const fullBox = (type: string, version: number, ...parts: Uint8Array[]): Buffer =>
  box(type, Buffer.from([version, 0, 0, 0]), ...parts)
/** The entry of an item. Tiles are hidden. */
const infoOf = (id: number, type: string, isHidden = false): Buffer =>
  box(
    'infe',
    Buffer.from([2, 0, 0, Number(isHidden)]),
    uint16(id),
    uint16(0),
    Buffer.from(type),
    Buffer.from([0]),
  )
/** The first brand is that of the file. */
const fileType = (...brands: readonly string[]): Buffer =>
  box('ftyp', Buffer.from(brands[0] ?? ''), uint32(0), Buffer.from(brands.join('')))
/** The bytes of the first box of a type in `file`. */
const boxIn = (file: Buffer, type: string): Buffer => {
  const start = file.indexOf(type) - 4
  return file.subarray(start, start + file.readUInt32BE(start))
}

/** A picture with HEVC compression: the configuration of its decoder, and its data. */
interface HevcPicture {
  configuration: Buffer
  data: Buffer
  width: number
  height: number
}

/** The first tile of the sample of an iPhone. */
export const iphoneTile = async (): Promise<HevcPicture> => {
  const photo = await readSample('iphone-13.heic')
  const firstLocation = photo.indexOf('iloc') + 12
  const start = photo.readUInt32BE(firstLocation + 8)
  const data = photo.subarray(start, start + photo.readUInt32BE(firstLocation + 12))
  return { configuration: boxIn(photo, 'hvcC'), data, width: 512, height: 512 }
}

/** A test picture of ffmpeg, encoded by x265. */
export const x265Picture = async (
  width: number,
  height: number,
  pixelFormat: 'yuv420p' | 'yuv420p10le' = 'yuv420p',
): Promise<HevcPicture> => {
  const video = await madeByFfmpeg('mp4', [
    ...['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=1`, '-frames:v', '1'],
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-tag:v', 'hvc1'],
    ...['-pix_fmt', pixelFormat],
  ])
  return { configuration: boxIn(video, 'hvcC'), data: boxIn(video, 'mdat').subarray(8), width, height }
}

interface HeifOptions {
  /** What stands before the photo. */
  header?: Buffer
  /** Items that no picture needs, as the notes of the maker. */
  otherItems?: number
  /** A colour profile without content, as tools write that remove metadata. */
  hasEmptyProfile?: boolean
}

const PRIMARY = 1

/** A HEIF whose primary picture is `picture`, or a grid of it. */
const heifOf = (
  picture: HevcPicture,
  grid: { columns: number; rows: number; width: number; height: number } | undefined,
  { header = fileType('heic', 'mif1'), otherItems = 0, hasEmptyProfile = false }: HeifOptions = {},
): Buffer => {
  const tileIds = grid ? Array.from({ length: grid.columns * grid.rows }, (_, index) => index + 2) : []
  const otherIds = Array.from({ length: otherItems }, (_, index) => index + 2 + tileIds.length)
  const gridData = grid
    ? Buffer.concat([
        Buffer.from([0, 1, grid.rows - 1, grid.columns - 1]),
        uint32(grid.width),
        uint32(grid.height),
      ])
    : Buffer.alloc(0)
  const notes = Buffer.from('notes')
  const content = Buffer.concat([picture.data, gridData, notes])

  const size = (width: number, height: number) => fullBox('ispe', 0, uint32(width), uint32(height))
  const { width, height } = grid ?? picture
  const properties = [
    picture.configuration,
    size(picture.width, picture.height),
    size(width, height),
    ...(hasEmptyProfile ? [box('colr', Buffer.from('prof'))] : []),
  ]
  const associations: [number, number[]][] = [
    [PRIMARY, [...(grid ? [3] : [0x81, 2]), ...(hasEmptyProfile ? [4] : [])]],
    ...tileIds.map((id): [number, number[]] => [id, [0x81, 2]]),
  ]

  const metaOf = (contentStart: number): Buffer => {
    const location = (id: number, start: number, length: number) =>
      Buffer.concat([
        ...[uint16(id), uint16(0), uint16(0), uint16(1)],
        ...[uint32(contentStart + start), uint32(length)],
      ])
    const pictureLocation = (id: number) => location(id, 0, picture.data.length)
    return fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, uint32(0), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, uint16(PRIMARY)),
      fullBox(
        'iinf',
        0,
        uint16(1 + tileIds.length + otherItems),
        infoOf(PRIMARY, grid ? 'grid' : 'hvc1'),
        ...tileIds.map((id) => infoOf(id, 'hvc1', true)),
        ...otherIds.map((id) => infoOf(id, 'uri ', true)),
      ),
      ...(grid
        ? [
            fullBox(
              'iref',
              0,
              box('dimg', uint16(PRIMARY), uint16(tileIds.length), ...tileIds.map((id) => uint16(id))),
            ),
          ]
        : []),
      box(
        'iprp',
        box('ipco', ...properties),
        fullBox(
          'ipma',
          0,
          uint32(associations.length),
          ...associations.map(([id, indexes]) =>
            Buffer.concat([uint16(id), Buffer.from([indexes.length, ...indexes])]),
          ),
        ),
      ),
      fullBox(
        'iloc',
        1,
        Buffer.from([0x44, 0]),
        uint16(1 + tileIds.length + otherItems),
        grid ? location(PRIMARY, picture.data.length, gridData.length) : pictureLocation(PRIMARY),
        // All tiles are the same bytes, so that the file is small.
        ...tileIds.map(pictureLocation),
        ...otherIds.map((id) => location(id, picture.data.length + gridData.length, notes.length)),
      ),
    )
  }
  const contentStart = header.length + metaOf(0).length + 8
  return Buffer.concat([header, metaOf(contentStart), box('mdat', content)])
}

export const photoOf = (picture: HevcPicture, options?: HeifOptions): Buffer =>
  heifOf(picture, undefined, options)

/** A photo of tiles, as phones write those that their encoder cannot encode at once. */
export const gridOf = (tile: HevcPicture, columns: number, rows: number, options?: HeifOptions): Buffer =>
  // The last tiles stand out, as a phone's do.
  heifOf(
    tile,
    {
      columns,
      rows,
      width: columns * tile.width - tile.width / 4,
      height: rows * tile.height - tile.height / 4,
    },
    options,
  )

/** An image sequence: pictures that are samples of a track, none of which is an item. */
export const imageSequence = async (brand: 'msf1' | 'hevc'): Promise<Buffer> => {
  const video = await madeByFfmpeg('mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=4', '-frames:v', '3'],
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-tag:v', 'hvc1'],
    ...['-movflags', '+faststart'],
  ])
  const brands = brand === 'msf1' ? ['msf1', 'hevc'] : ['hevc', 'msf1']
  // As long as that of ffmpeg, so that no other box moves.
  const header = fileType(...brands, 'iso8', 'miaf').subarray(0, boxIn(video, 'ftyp').length)
  header.writeUInt32BE(header.length)
  const sequence = Buffer.concat([header, video.subarray(header.length)])
  sequence.write('pict', sequence.indexOf('vide', sequence.indexOf('hdlr')))
  return sequence
}

/** A burst: an image sequence, and the best of its pictures as a photo. */
export const burstOf = async (picture: HevcPicture): Promise<Buffer> =>
  photoOf(picture, { header: await imageSequence('msf1') })

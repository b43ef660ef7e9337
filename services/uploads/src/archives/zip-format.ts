import type { ArchiveEntry, EntryTime } from './entries.ts'

// The records of a ZIP file, as in PKWARE's APPNOTE 6.3.10. Files are stored without compression, and their CRC-32 is
// known before they are read, so that the size and place of everything follow from the list of files alone.

const UINT16_MAX = 0xffff
const UINT32_MAX = 0xffffffff
const ZIP64_EXTRA_ID = 0x0001
const TIMESTAMP_EXTRA_ID = 0x5455
const VERSION_STORED = 10
const VERSION_ZIP64 = 45
const HOST_UNIX = 3
const UTF8_NAMES = 1 << 11
const REGULAR_FILE_0644 = 0o100644
// The extended timestamp has 32 bits with a sign.
const MAX_TIMESTAMP = 0x7fffffff

const LOCAL_HEADER_BYTES = 30
const DIRECTORY_HEADER_BYTES = 46
const END_BYTES = 22
const ZIP64_END_BYTES = 56
const ZIP64_LOCATOR_BYTES = 20

const nameBytes = ({ name }: ArchiveEntry): number => Buffer.byteLength(name)

const hasTimestamp = ({ unixSeconds }: EntryTime): boolean =>
  unixSeconds !== undefined && unixSeconds >= 0 && unixSeconds <= MAX_TIMESTAMP

/** Date and time in the format of MS-DOS, in steps of two seconds from 1980 to 2107. */
const dosTime = ({ local }: EntryTime): { time: number; date: number } => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = local.split(/[-T:]/).map(Number)
  if (year < 1980) return { time: 0, date: (1 << 5) | 1 }
  if (year > 2107) return { time: 0xbf7d, date: 0xff9f }
  return {
    time: (hour << 11) | (minute << 5) | (second >> 1),
    date: ((year - 1980) << 9) | (month << 5) | day,
  }
}

const extraField = (id: number, data: Buffer): Buffer => {
  const header = Buffer.alloc(4)
  header.writeUInt16LE(id, 0)
  header.writeUInt16LE(data.length, 2)
  return Buffer.concat([header, data])
}

const timestampExtra = ({ modified }: ArchiveEntry): Buffer => {
  if (!hasTimestamp(modified)) return Buffer.alloc(0)
  const data = Buffer.alloc(5)
  data.writeUInt8(1, 0)
  data.writeInt32LE(modified.unixSeconds ?? 0, 1)
  return extraField(TIMESTAMP_EXTRA_ID, data)
}

/** The values that have no place in 32 bits, in the order of the format; empty if there are none. */
const zip64Extra = (values: readonly number[]): Buffer => {
  if (values.length === 0) return Buffer.alloc(0)
  const data = Buffer.alloc(values.length * 8)
  for (const [index, value] of values.entries()) data.writeBigUInt64LE(BigInt(value), index * 8)
  return extraField(ZIP64_EXTRA_ID, data)
}

const isLarge = (value: number): boolean => value >= UINT32_MAX
const sizesOf = ({ size }: ArchiveEntry): number[] => (isLarge(size) ? [size, size] : [])
const zip64ExtraBytes = (valueCount: number): number => (valueCount === 0 ? 0 : 4 + valueCount * 8)
const timestampExtraBytes = ({ modified }: ArchiveEntry): number => (hasTimestamp(modified) ? 9 : 0)
const clamp32 = (value: number): number => Math.min(value, UINT32_MAX)

/** The fields that both headers of a file have: from the version that is needed up to the length of the extra fields. */
const writeCommonFields = (
  header: Buffer,
  at: number,
  { entry, isZip64, extraBytes }: { entry: ArchiveEntry; isZip64: boolean; extraBytes: number },
): void => {
  const { time, date } = dosTime(entry.modified)
  header.writeUInt16LE(isZip64 ? VERSION_ZIP64 : VERSION_STORED, at)
  header.writeUInt16LE(UTF8_NAMES, at + 2)
  header.writeUInt16LE(time, at + 6)
  header.writeUInt16LE(date, at + 8)
  header.writeUInt32LE(entry.crc32, at + 10)
  header.writeUInt32LE(clamp32(entry.size), at + 14)
  header.writeUInt32LE(clamp32(entry.size), at + 18)
  header.writeUInt16LE(nameBytes(entry), at + 22)
  header.writeUInt16LE(extraBytes, at + 24)
}

/** The record in front of the bytes of a file. */
export const encodeLocalHeader = (entry: ArchiveEntry): Buffer => {
  const large = sizesOf(entry)
  const extra = Buffer.concat([zip64Extra(large), timestampExtra(entry)])
  const header = Buffer.alloc(LOCAL_HEADER_BYTES)
  header.writeUInt32LE(0x04034b50, 0)
  writeCommonFields(header, 4, { entry, isZip64: large.length > 0, extraBytes: extra.length })
  return Buffer.concat([header, Buffer.from(entry.name), extra])
}

/** The length of `encodeLocalHeader`. */
export const localHeaderBytes = (entry: ArchiveEntry): number =>
  LOCAL_HEADER_BYTES + nameBytes(entry) + zip64ExtraBytes(sizesOf(entry).length) + timestampExtraBytes(entry)

const largeInDirectory = (entry: ArchiveEntry, offset: number): number[] => [
  ...sizesOf(entry),
  ...(isLarge(offset) ? [offset] : []),
]

/** The record of a file in the directory at the end of the archive; `offset` is that of its local header. */
export const encodeDirectoryHeader = (entry: ArchiveEntry, offset: number): Buffer => {
  const large = largeInDirectory(entry, offset)
  const extra = Buffer.concat([zip64Extra(large), timestampExtra(entry)])
  const header = Buffer.alloc(DIRECTORY_HEADER_BYTES)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE((HOST_UNIX << 8) | VERSION_ZIP64, 4)
  writeCommonFields(header, 6, { entry, isZip64: large.length > 0, extraBytes: extra.length })
  // No comment, first disk, binary content.
  header.writeUInt32LE(REGULAR_FILE_0644 * 0x10000, 38)
  header.writeUInt32LE(clamp32(offset), 42)
  return Buffer.concat([header, Buffer.from(entry.name), extra])
}

/** The length of `encodeDirectoryHeader`. */
export const directoryHeaderBytes = (entry: ArchiveEntry, offset: number): number =>
  DIRECTORY_HEADER_BYTES +
  nameBytes(entry) +
  zip64ExtraBytes(largeInDirectory(entry, offset).length) +
  timestampExtraBytes(entry)

/** The directory of an archive: how many files it lists, where it begins, and its length in bytes. */
export interface Directory {
  files: number
  offset: number
  bytes: number
}

const needsZip64 = ({ files, offset, bytes }: Directory): boolean =>
  files >= UINT16_MAX || isLarge(offset) || isLarge(bytes)

/** The records that end an archive. */
export const encodeEnd = (directory: Directory): Buffer => {
  const { files, offset, bytes } = directory
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(files, UINT16_MAX), 8)
  end.writeUInt16LE(Math.min(files, UINT16_MAX), 10)
  end.writeUInt32LE(clamp32(bytes), 12)
  end.writeUInt32LE(clamp32(offset), 16)
  if (!needsZip64(directory)) return end

  const zip64End = Buffer.alloc(ZIP64_END_BYTES)
  zip64End.writeUInt32LE(0x06064b50, 0)
  zip64End.writeBigUInt64LE(BigInt(ZIP64_END_BYTES - 12), 4)
  zip64End.writeUInt16LE((HOST_UNIX << 8) | VERSION_ZIP64, 12)
  zip64End.writeUInt16LE(VERSION_ZIP64, 14)
  zip64End.writeBigUInt64LE(BigInt(files), 24)
  zip64End.writeBigUInt64LE(BigInt(files), 32)
  zip64End.writeBigUInt64LE(BigInt(bytes), 40)
  zip64End.writeBigUInt64LE(BigInt(offset), 48)

  const locator = Buffer.alloc(ZIP64_LOCATOR_BYTES)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([zip64End, locator, end])
}

/** The length of `encodeEnd`. */
export const endBytes = (directory: Directory): number =>
  END_BYTES + (needsZip64(directory) ? ZIP64_END_BYTES + ZIP64_LOCATOR_BYTES : 0)

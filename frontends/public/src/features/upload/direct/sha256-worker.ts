/* eslint-disable @typescript-eslint/no-non-null-assertion -- All indexes are within the arrays. */

// A script and not a module, because its text becomes a worker: it imports and exports nothing.
// Computes SHA-256 (FIPS 180-4) of a file in chunks, because WebCrypto needs the whole file in memory, and WebAssembly
// is not allowed by the Content-Security-Policy.
{
  const CHUNK_BYTES = 4 * 1024 * 1024
  const BLOCK_BYTES = 64

  const isPrime = (value: number): boolean => {
    for (let divisor = 2; divisor * divisor <= value; divisor += 1) if (value % divisor === 0) return false
    return true
  }
  const primes: number[] = []
  for (let value = 2; primes.length < 64; value += 1) if (isPrime(value)) primes.push(value)
  /** The first 32 bits of the fractional part. */
  const fractionBits = (value: number): number => ((value % 1) * 2 ** 32) | 0
  const roundConstants = Int32Array.from(primes, (prime) => fractionBits(Math.cbrt(prime)))

  const words = new Int32Array(64)
  const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

  /** Adds whole blocks of 64 bytes to the state of the hash. */
  const addBlocks = (state: Int32Array, bytes: Uint8Array): void => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let offset = 0; offset < bytes.length; offset += BLOCK_BYTES) {
      for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(offset + 4 * i)
      for (let i = 16; i < 64; i += 1) {
        const w15 = words[i - 15]!
        const w2 = words[i - 2]!
        const sigma0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3)
        const sigma1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10)
        words[i] = (words[i - 16]! + sigma0 + words[i - 7]! + sigma1) | 0
      }
      let a = state[0]!
      let b = state[1]!
      let c = state[2]!
      let d = state[3]!
      let e = state[4]!
      let f = state[5]!
      let g = state[6]!
      let h = state[7]!
      for (let i = 0; i < 64; i += 1) {
        const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
        const choice = (e & f) ^ (~e & g)
        const t1 = (h + sum1 + choice + roundConstants[i]! + words[i]!) | 0
        const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
        const majority = (a & b) ^ (a & c) ^ (b & c)
        h = g
        g = f
        f = e
        e = (d + t1) | 0
        d = c
        c = b
        b = a
        a = (t1 + sum0 + majority) | 0
      }
      state[0] = state[0]! + a
      state[1] = state[1]! + b
      state[2] = state[2]! + c
      state[3] = state[3]! + d
      state[4] = state[4]! + e
      state[5] = state[5]! + f
      state[6] = state[6]! + g
      state[7] = state[7]! + h
    }
  }

  /** The last bytes of the file with the padding: a one bit, zeros, and the length of the file in bits. */
  const pad = (tail: Uint8Array, fileBytes: number): Uint8Array => {
    const padded = new Uint8Array(Math.ceil((tail.length + 9) / BLOCK_BYTES) * BLOCK_BYTES)
    padded.set(tail)
    padded[tail.length] = 0x80
    const view = new DataView(padded.buffer)
    view.setUint32(padded.length - 8, Math.floor(fileBytes / 2 ** 29))
    view.setUint32(padded.length - 4, (fileBytes * 8) % 2 ** 32)
    return padded
  }

  const toHex = (state: Int32Array): string =>
    Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')

  /** Returns the hash of a file. Calls `onProgress` with the bytes hashed so far. */
  const hash = async (file: Blob, onProgress: (hashedBytes: number) => void): Promise<string> => {
    const state = Int32Array.from(primes.slice(0, 8), (prime) => fractionBits(Math.sqrt(prime)))
    let tail: Uint8Array = new Uint8Array()
    for (let start = 0; start < file.size; start += CHUNK_BYTES) {
      const chunk = new Uint8Array(await file.slice(start, start + CHUNK_BYTES).arrayBuffer())
      // Only the last chunk can end within a block.
      const blocksEnd = chunk.length - (chunk.length % BLOCK_BYTES)
      addBlocks(state, chunk.subarray(0, blocksEnd))
      tail = chunk.subarray(blocksEnd)
      onProgress(start + chunk.length)
    }
    addBlocks(state, pad(tail, file.size))
    return toHex(state)
  }

  // Posts `{ hashedBytes }` after each chunk, and at the end `{ sha256 }`, which is undefined if the file cannot be read.
  self.onmessage = async ({ data: file }: MessageEvent<Blob>): Promise<void> => {
    const sha256 = await hash(file, (hashedBytes) => self.postMessage({ hashedBytes })).catch(() => undefined)
    self.postMessage({ sha256 })
  }
}

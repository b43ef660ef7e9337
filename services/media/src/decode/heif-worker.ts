import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import libheif from 'libheif-js/wasm-bundle.js'

// The thread in which libheif decodes the primary image of the file named by workerData.

export interface HeifImage {
  data: Uint8Array<ArrayBuffer>
  width: number
  height: number
}

const images = new libheif.HeifDecoder().decode(readFileSync(workerData as string))
const image = images.find((candidate) => candidate.is_primary()) ?? images[0]
if (!image) throw new Error('The file contains no image')

const width = image.get_width()
const height = image.get_height()
const data = new Uint8ClampedArray(width * height * 4)
image.display({ data, width, height }, (displayed) => {
  if (!displayed) throw new Error('The image cannot be decoded')
  parentPort?.postMessage({ data: new Uint8Array(data.buffer), width, height } satisfies HeifImage, [
    data.buffer,
  ])
})

import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import libheif from 'libheif-js/wasm-bundle.js'

// The thread in which libheif decodes the primary image of a file, unless it has more pixels than `maxPixels`.

export interface HeifTask {
  file: string
  maxPixels: number
}

export interface HeifImage {
  data: Uint8Array<ArrayBuffer>
  width: number
  height: number
}

const { file, maxPixels } = workerData as HeifTask
const images = new libheif.HeifDecoder().decode(readFileSync(file))
const image = images.find((candidate) => candidate.is_primary()) ?? images[0]
if (!image) throw new Error('The file contains no image')

const width = image.get_width()
const height = image.get_height()
if (width * height > maxPixels) throw new Error('The image has too many pixels')
const data = new Uint8ClampedArray(width * height * 4)
image.display({ data, width, height }, (displayed) => {
  if (!displayed) throw new Error('The image cannot be decoded')
  parentPort?.postMessage({ data: new Uint8Array(data.buffer), width, height } satisfies HeifImage, [
    data.buffer,
  ])
})

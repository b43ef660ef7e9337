// The part of the API that is used here. The package has types only for its low-level API.
declare module 'libheif-js/wasm-bundle.js' {
  interface ImageBuffer {
    data: Uint8ClampedArray
    width: number
    height: number
  }
  interface HeifImage {
    is_primary: () => boolean
    get_width: () => number
    get_height: () => number
    display: (buffer: ImageBuffer, callback: (displayed: ImageBuffer | null) => void) => void
  }
  const libheif: { HeifDecoder: new () => { decode: (file: Uint8Array) => HeifImage[] } }
  export default libheif
}

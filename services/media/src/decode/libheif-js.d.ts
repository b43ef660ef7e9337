// What we use of it; the package itself types only its low level.
declare module 'libheif-js/wasm-bundle.js' {
  interface Picture {
    data: Uint8ClampedArray
    width: number
    height: number
  }
  interface HeifImage {
    is_primary: () => boolean
    get_width: () => number
    get_height: () => number
    display: (into: Picture, done: (shown: Picture | null) => void) => void
  }
  const libheif: { HeifDecoder: new () => { decode: (file: Uint8Array) => HeifImage[] } }
  export default libheif
}

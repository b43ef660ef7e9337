/** Packages that cannot be bundled, because they have native code, WebAssembly, or files that are served. */
export const externalPackages = ['@node-rs/argon2', 'libheif-js', 'sharp', 'swagger-ui-dist']

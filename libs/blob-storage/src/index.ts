export { blobConfig } from './config.ts'
export { connectBlobStorage } from './connect.ts'

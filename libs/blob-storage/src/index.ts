export { blobConfig } from './config.ts'
export { connectBlobStorage } from './connect.ts'
export { mayBelongTo, newUploadId } from './upload-id.ts'

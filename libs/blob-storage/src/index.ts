export { createBlobRemoval } from './blob-removal.ts'
export { blobConfig } from './config.ts'
export { connectBlobStorage } from './connect.ts'
export { mayBelongTo, newUploadId, readTag, readTime, tagOf } from './upload-id.ts'

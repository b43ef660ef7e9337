export { createBlobRemoval } from './blob-removal.ts'
export { blobConfig, connectBlobStorage } from './connect.ts'
export {
  currentPeriod,
  earlierPeriods,
  hasTag,
  mayBelongTo,
  newUploadId,
  prefixOf,
  readTime,
  tagOf,
  type IdPeriod,
} from './upload-id.ts'

export { getFileKey } from './file-key.ts'
export { createTabId, findOpenTabs, markTabOpen, untilTabCloses, whileTabOpen } from './open-tabs.ts'
export { requestBackgroundSync, SEND_UNSENT_TAG } from './background-sync.ts'
export { getSetting, setSetting } from './settings.ts'
export {
  NO_EVENT,
  openUnsentStore,
  type ClaimedFile,
  type Rejection,
  type StoredTicket,
  type UnsentRecord,
  type UnsentStore,
} from './unsent-store.ts'

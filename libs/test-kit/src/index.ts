export { newAdmin, newOrganiser, randomEmail, type Account } from './accounts.ts'
export { call, callUntilAvailable, readResponse, type ApiResponse } from './call.ts'
export {
  complete,
  newTicket,
  putBlock,
  putFile,
  sendDirect,
  sha256Of,
  type SendTicket,
} from './direct-upload.ts'
export { eventually } from './eventually.ts'
export { newEvent, sendFiles, uploadForm, type FileToSend } from './guest.ts'
export { inProcess } from './in-process.ts'
export { HangError, HANG_TIMEOUT_MS, withHangTimeout } from './hang.ts'
export { deleteQueue, deleteTopology, publishAll, purgeQueue } from './queues.ts'
export { recordMessages, type RecordedMessages } from './recorded-messages.ts'
export { readCounter, readGauge } from './metrics.ts'
export { followLive, followLiveOnce, type LiveClient } from './live-client.ts'
export { startMailServer, type MailServer, type ReceivedMail } from './mail-server.ts'
export { mongoOperators } from './mongo-operators.ts'
export { readSample, sampleNames, samplePath, samples, uniquePhoto, type SampleName } from './samples.ts'
export { startTcpProxy, type ProxyMode, type TcpProxy } from './tcp-proxy.ts'
export { patientRedis, startTestSystem, testBackends, type TestSystem } from './test-system.ts'

export {
  buildFrontends,
  serve,
  serveRemote,
  startFrontends,
  type FrontendName,
  type Frontends,
  type FrontendsOptions,
} from './frontends.ts'
export { startMailServer, type MailServer } from './mail-server.ts'
export {
  NODE_FLAGS,
  startInProcess,
  startService,
  type ServiceProcess,
  type StartInProcess,
} from './service-process.ts'
export {
  databaseUrl,
  ensureSigningKeys,
  newSigningKey,
  redisUrl,
  serviceNames,
  services,
  servicesWithDatabase,
  type BackendAddresses,
  type BackendName,
  type ServiceName,
} from './services.ts'
export { startSystem, type System, type SystemOptions } from './system.ts'

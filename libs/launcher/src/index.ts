export {
  buildFrontends,
  serve,
  serveRemote,
  startFrontends,
  type FrontendName,
  type Frontends,
  type FrontendsOptions,
} from './frontends.ts'
export { NODE_FLAGS, startService, type ServiceName, type ServiceProcess } from './service-process.ts'
export { ensureSigningKeys, newSigningKey } from './signing-keys.ts'
export { databaseUrl, startSystem, type BackendAddresses, type System, type SystemOptions } from './system.ts'

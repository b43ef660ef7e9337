export type { Backend, BackendName, Backends, Options } from './backend.ts'
export { ensurePrograms, type Tool } from './programs.ts'
export { allocatePort } from './ports.ts'
export { startBackend, startBackends } from './start.ts'

import { remoteConfig } from '@confetti/federation/build'

export default remoteConfig({ folder: import.meta.dirname, name: 'admin', port: 3104 })

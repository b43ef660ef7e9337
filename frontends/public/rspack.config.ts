import { remoteConfig } from '@confetti/federation/build'

export default remoteConfig({ folder: import.meta.dirname, name: 'public', port: 3102 })

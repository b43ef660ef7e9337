import { remoteConfig } from '@confetti/federation/build'

const config = remoteConfig({ folder: import.meta.dirname, name: 'public', port: 3102 })

export default {
  ...config,
  module: {
    ...config.module,
    // Imports the compiled text of a script, for a worker. An entry of its own for the worker does not work: module
    // federation would add its runtime to it, and the worker lacks the part that the shell provides.
    rules: [...(config.module?.rules ?? []), { resourceQuery: /^\?script$/, type: 'asset/source' }],
  },
}

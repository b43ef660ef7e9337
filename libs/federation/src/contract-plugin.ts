import { rspack, type Compiler, type RspackPluginInstance } from '@rspack/core'
import { CONTRACT_FILE, type ShellContract } from './contract.ts'

const NAME = 'shell-contract'

/** Creates a plugin that writes the shell's contract beside its page, for the checks of remotes. */
export const createContractPlugin = (contract: ShellContract): RspackPluginInstance => ({
  apply: (compiler: Compiler) => {
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
      compilation.hooks.processAssets.tap(NAME, () => {
        const text = `${JSON.stringify(contract, null, 2)}\n`
        compilation.emitAsset(CONTRACT_FILE, new rspack.sources.RawSource(text))
      })
    })
  },
})

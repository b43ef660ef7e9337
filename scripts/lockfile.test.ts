import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { findPackage, parseLockfile, type LockedPackages } from './lockfile.ts'
import { root } from './paths.ts'

const missingOptionalPackages = (packages: LockedPackages): string[] =>
  Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !findPackage(packages, folder, name)),
  )

const readPackages = async (): Promise<LockedPackages> =>
  parseLockfile(await readFile(join(root, 'package-lock.json'), 'utf8'))

test('The lockfile has the optional packages of every platform, without which `npm ci` fails', async () => {
  const packages = await readPackages()
  expect(missingOptionalPackages(packages)).toEqual([])
  const { 'node_modules/@swc/core-darwin-arm64': removed, ...others } = packages
  expect(removed).toBeDefined()
  expect(missingOptionalPackages(others)).toEqual(['@swc/core-darwin-arm64'])
})

test('The lockfile has the checksum of every package that is downloaded', async () => {
  const unverified = Object.entries(await readPackages()).filter(
    ([folder, { link, inBundle, integrity }]) =>
      folder.startsWith('node_modules/') && !link && !inBundle && !integrity,
  )
  expect(unverified).toEqual([])
})

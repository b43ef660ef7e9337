import { randomBytes } from 'node:crypto'
import { createTextSigner } from '@confetti/service-kit'

/** What a link to an archive grants: to download it until `expiresAt`. */
interface ArchiveGrant {
  archiveId: string
  expiresAt: Date
}

/** A token of a request. It is not trusted before `isSignedWith` returns true. */
interface ParsedToken extends ArchiveGrant {
  /** Whether `sign` made it for the archive that has this key. */
  isSignedWith: (linkKey: string) => boolean
}

export interface ArchiveLinks {
  /** Returns a grant as text, which can't be made or changed without the secret. */
  sign: (grant: ArchiveGrant, linkKey: string) => string
  /** Returns undefined for what does not look like a token. */
  parse: (token: string) => ParsedToken | undefined
}

/** The part of an archive's links that is new when the archive is stored again, after its links were revoked. */
export const newLinkKey = (): string => randomBytes(16).toString('base64url')

// The prefix keeps these texts distinct from tickets, which are signed with the same secret.
const toText = (archiveId: string, expires: string, linkKey: string): string =>
  `archive.${archiveId}.${expires}.${linkKey}`

/** Creates the tokens of archive links: `archiveId.expiry.signature`, signed with `secret`. */
export const createArchiveLinks = (secret: string): ArchiveLinks => {
  const { sign, isSignature } = createTextSigner(secret)
  return {
    sign: ({ archiveId, expiresAt }, linkKey) => {
      const expires = String(expiresAt.getTime())
      return `${archiveId}.${expires}.${sign(toText(archiveId, expires, linkKey))}`
    },
    parse: (token) => {
      const [, archiveId, expires, signature] = /^([0-9a-f]{64})\.(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
      if (!archiveId || !expires || !signature) return undefined
      return {
        archiveId,
        expiresAt: new Date(Number(expires)),
        isSignedWith: (linkKey) => isSignature(signature, toText(archiveId, expires, linkKey)),
      }
    },
  }
}

import { createTextSigner } from '@confetti/service-kit'

/** What a link to an archive grants: to download it until `expiresAt`. */
interface ArchiveGrant {
  archiveId: string
  expiresAt: Date
}

export interface ArchiveLinks {
  /** Returns a grant as text, which can't be made or changed without the secret. */
  sign: (grant: ArchiveGrant) => string
  /** Returns the grant that `sign` made into this text; undefined if it made no such text. */
  verify: (token: string) => ArchiveGrant | undefined
}

// Tickets are signed with the same secret: their texts begin with the id of an upload.
const toText = (archiveId: string, expires: string): string => `archive.${archiveId}.${expires}`

/** Creates the tokens of archive links: `archiveId.expiry.signature`, signed with `secret`. */
export const createArchiveLinks = (secret: string): ArchiveLinks => {
  const { sign, isSignature } = createTextSigner(secret)
  return {
    sign: ({ archiveId, expiresAt }) => {
      const expires = String(expiresAt.getTime())
      return `${archiveId}.${expires}.${sign(toText(archiveId, expires))}`
    },
    verify: (token) => {
      const [, archiveId, expires, signature] = /^([0-9a-f]{64})\.(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
      if (!archiveId || !expires || !signature) return undefined
      if (!isSignature(signature, toText(archiveId, expires))) return undefined
      return { archiveId, expiresAt: new Date(Number(expires)) }
    },
  }
}

import { randomBytes } from 'node:crypto'
import { createTextSigner } from '@confetti/service-kit'
import type { Archive } from './entries.ts'

/** What a link to an archive grants: to download it until `expiresAt`. */
interface ArchiveGrant {
  archiveId: string
  expiresAt: Date
}

/** What is signed with a grant: the key of the archive, and the name of its file, which browsers show. */
interface LinkSigning {
  linkKey: string
  /** Absent in links of earlier versions. */
  filename?: string
}

/** A token of a request. It is not trusted before `isSignedWith` returns true. */
interface ParsedToken extends ArchiveGrant {
  /** Whether `sign` made it for the archive that has this key, and for a link of this name. */
  isSignedWith: (signing: LinkSigning) => boolean
}

interface ArchiveLinks {
  /** Returns a grant as text, which can't be made or changed without the secret. */
  sign: (grant: ArchiveGrant, signing: LinkSigning) => string
  /** Returns undefined for what does not look like a token. */
  parse: (token: string) => ParsedToken | undefined
}

/** The part of an archive's links that is new when the archive is stored again, after its links were revoked. */
export const newLinkKey = (): string => randomBytes(16).toString('base64url')

/**
 * The key of an archive's links. Links to copies have another one, as a replica of a version before copies would send the
 * originals instead, with their positions: it does not accept such a link.
 */
export const signingKeyOf = ({ linkKey, copies }: Pick<Archive, 'linkKey' | 'copies'>): string =>
  copies ? `${linkKey}.copies` : linkKey

// The prefix keeps these texts distinct from tickets, which are signed with the same secret.
const toText = (archiveId: string, expires: string, { linkKey, filename }: LinkSigning): string =>
  ['archive', archiveId, expires, linkKey, ...(filename === undefined ? [] : [filename])].join('.')

/** Creates the tokens of archive links: `archiveId.expiry.signature`, signed with the first of `secrets`. */
export const createArchiveLinks = (secrets: readonly string[]): ArchiveLinks => {
  const { sign, isSignature } = createTextSigner(secrets)
  return {
    sign: ({ archiveId, expiresAt }, signing) => {
      const expires = String(expiresAt.getTime())
      return `${archiveId}.${expires}.${sign(toText(archiveId, expires, signing))}`
    },
    parse: (token) => {
      const [, archiveId, expires, signature] = /^([0-9a-f]{64})\.(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
      if (!archiveId || !expires || !signature) return undefined
      return {
        archiveId,
        expiresAt: new Date(Number(expires)),
        isSignedWith: (signing) => isSignature(signature, toText(archiveId, expires, signing)),
      }
    },
  }
}
